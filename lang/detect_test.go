package lang

import (
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"
)

// marked stands for a file that is read although a generator's mark is at its top.
const marked Reason = "marked"

const composeDrawing = `package icons

import androidx.compose.ui.graphics.vector.ImageVector
import androidx.compose.ui.graphics.vector.path

val Ring: ImageVector
    get() {
        if (_Ring != null) return _Ring!!
        _Ring = ImageVector.Builder(name = "Ring", defaultWidth = 24.dp).apply {
            path { moveTo(12f, 0.297f) }
        }.build()
        return _Ring!!
    }

private var _Ring: ImageVector? = null
`

func TestDetect(t *testing.T) {
	minified := strings.Repeat("var a=function(b){return b+1};", 100)
	for _, c := range []struct {
		name, content string
		lang          string
		skip, note    Reason
	}{
		{"a.go", "package a\n", "go", "", ""},
		{"a.js", "let a\n", "javascript", "", ""},
		{"a.mjs", "let a\n", "javascript", "", ""},
		{"a.jsx", "let a\n", "jsx", "", ""},
		{"a.ts", "let a\n", "typescript", "", ""},
		{"a.ts", "<?xml version='1.0'?>\n<TS></TS>", "text", Data, ""},
		{"a.ts", "<?xml version='1.0'?>\n<TSV></TSV>", "text", "", ""},
		{"a.ts", "<TS >(globalThis as any).port;\nexport const a = 1;\n", "text", "", ""},
		{"a.tsx", "let a\n", "tsx", "", ""},
		{"a.py", "a = 1\n", "python", "", ""},
		{"A.java", "class A {}\n", "java", "", ""},
		{"a.c", "int a;\n", "c", "", ""},
		{"a.h", "int a;\n", "c", "", ""},
		{"a.h", "namespace a { int b; }\n", "cpp", "", ""},
		{"a.h", "@interface A\n@end\n", "objc", "", ""},
		{"a.h", "/** @class A */\nnamespace a { class A; }\n", "objcpp", "", ""},
		{"a.m", "@interface A\n@end\n", "objc", "", ""},
		{"a.m", "% a\nfunction b\n", "text", "", ""},
		{"a.mm", "int a;\n", "objcpp", "", ""},
		{"a.mm", "<map></map>\n", "text", "", ""},
		{"a.cu", "__global__ void a() {}\n", "cpp", "", ""},
		{"a.cuh", "int a;\n", "cpp", "", ""},
		{"a.metal", "kernel void a() {}\n", "cpp", "", ""},
		{"a.cl", "__kernel void a() {\n}\n", "c", "", ""},
		{"a.cl", "(defun a ())\n", "text", "", ""},
		{"a.glsl", "void main() {}\n", "c", "", ""},
		{"a.hlsl", "float a;\n", "c", "", ""},
		{"a.cc", "int a;\n", "cpp", "", ""},
		{"a.hpp", "int a;\n", "cpp", "", ""},
		{"a.hh", "int a;\n", "cpp", "", ""},
		{"a.hh", "<?hh\nclass A {}\n", "text", "", ""},
		{"a.cs", "class A {}\n", "csharp", "", ""},
		{"a.rs", "fn a() {}\n", "rust", "", ""},
		{"a.rb", "a = 1\n", "ruby", "", ""},
		{"Rakefile", "task :a\n", "ruby", "", ""},
		{"a.php", "<?php $a = 1;\n", "php", "", ""},
		{"a.kt", "val a = 1\n", "kotlin", "", ""},
		{"a.swift", "let a = 1\n", "swift", "", ""},
		{"a.scala", "val a = 1\n", "scala", "", ""},
		{"a.sh", "a=1\n", "bash", "", ""},
		{"tool", "#!/usr/bin/env python3\na = 1\n", "python", "", ""},
		{"a.lua", "local a\n", "lua", "", ""},
		{"dir.go/README", "words\n", "text", "", ""},
		{"a.unknown", "words\n", "text", "", ""},
		{"README.md", "# words\n", "text", "", ""},
		{"a.sql", "select 1;\n", "text", "", ""},
		{"a.proto", "message A {}\n", "text", "", ""},
		{"a.json", "{}\n", "text", Data, ""},
		{"a.yaml", "a: 1\n", "text", Data, ""},
		{"a.toml", "a = 1\n", "text", Data, ""},
		{"a.csv", "a,b\n", "text", Data, ""},
		{"a.svg", "<svg/>\n", "text", Data, ""},
		{"a.po", "msgid \"\"\n", "text", Data, ""},
		{"yarn.lock", "a@1:\n", "text", Data, ""},
		{"order.excalidraw", "\n{\"type\": \"excalidraw\", \"elements\": []}\n", "text", Data, ""},
		{"order.drawio", "<mxfile host=\"Electron\">\n</mxfile>\n", "text", Data, ""},
		{"notes.zpln", "{\"paragraphs\": [{\"text\": \"a = 1\\nb\\nc\\nd\\ne\\nf\\ng\\nh\\ni\"}]}\n", "text", "", ""},
		{"rules.unknown", "{ own words }\n", "text", "", ""},
		{"go.sum", "a v1 h1:=\n", "text", Data, ""},
		{"a.go", "", "text", Empty, ""},
		{"a.png", "no png", "text", Binary, ""},
		{"a.go", "package\x00a", "text", Binary, ""},
		{"a.bin", "\x01\x02\x03\x04", "text", Binary, ""},
		{"a.go", "package a // \xff\n", "go", "", InvalidUTF8},
		{"a.go", "package a // " + strings.Repeat(" ", binaryHead) + "\x00\n", "text", "", NULBytes},
		{"notes.txt", "caf\xe9\n", "text", "", ""},
		{"LICENSE", "MIT\n", "text", LicenceText, ""},
		{"LICENSE-APACHE", "x\n", "text", LicenceText, ""},
		{"a/COPYING.LESSER", "x\n", "text", LicenceText, ""},
		{"LICENSES/MIT.txt", "x\n", "text", LicenceText, ""},
		{"odb/GPLv3", "x\n", "text", LicenceText, ""},
		{"doc/lgpl-2.1.txt", "x\n", "text", LicenceText, ""},
		{"setup/GPL.rtf", "x\n", "text", LicenceText, ""},
		{"gpl.go", "package gpl\n", "go", "", ""},
		{"gplv3-notes.txt", "x\n", "text", "", ""},
		{"INSTALL", "Installation Instructions\n\n   These are generic installation instructions.\n", "text", ToolWritten, ""},
		{"INSTALL", "This is the Perl distribution Try.\n\nInstalling Try is straightforward.\n", "text", ToolWritten, ""},
		{"INSTALL", "Copy the program.\n", "text", "", ""},
		{"inc/Module/Install/Base.pm", "#line 1\npackage Module::Install::Base;\n", "text", ToolWritten, ""},
		{"inc/Module/Install/Base.pm", "package Module::Install::Base;\n", "text", "", ""},
		{"lib/Lexer.pm", "#line 1\npackage Lexer;\n", "text", "", ""},
		{"xt/author/eol.t", "use strict;\nuse warnings;\n\n# this test was generated with Dist::Zilla::Plugin::Test::EOL 0.18\n", "text", ToolWritten, ""},
		{"xt/release/changes_has_content.t", "use Test::More;\n\n# _get_changes copied and adapted from Dist::Zilla::Plugin::Git::Commit\n", "text", ToolWritten, ""},
		{"xt/author/pod-no404s.t", "use Test::More;\n\nforeach my $env_skip ( qw(\n  SKIP_POD_NO404S\n  AUTOMATED_TESTING\n) ){\n", "text", ToolWritten, ""},
		{"Build.PL", "# This Build.PL for MooseX-LazyRequire was generated by\n# Dist::Zilla::Plugin::ModuleBuildTiny::Fallback 0.005\n", "text", ToolWritten, ""},
		{"Build.PL", "use Module::Build;\n", "text", "", ""},
		{"ABOUT-NLS", "1 Notes on the Free Translation Project\n***\n", "text", ToolWritten, ""},
		{"t/plugin.t", "use strict;\nuse Dist::Zilla::Plugin::Test::EOL;\n", "text", "", ""},
		{"t/00-report-prereqs.dd", "do { my $x = {\n       'configure' => {\n", "text", ToolWritten, ""},
		{"MANIFEST", "Changes\ninc/Module/Install.pm\nlib/Try.pm\n", "text", ToolWritten, ""},
		{"MANIFEST", "Changes\nlib/Try.pm\n", "text", "", ""},
		{"config.in", "/* config.in.  Generated from configure.ac by autoheader.  */\n", "text", ToolWritten, ""},
		{"bin/setup", "#!/usr/bin/env ruby\n# This script is a way to set up or update your development environment automatically.\n", "ruby", ToolWritten, ""},
		{"bin/setup", "#!/usr/bin/env ruby\nsystem 'make'\n", "ruby", "", ""},
		{"config/initializers/new_framework_defaults_7_1.rb", "# This file eases your Rails 7.1 framework defaults upgrade.\n", "ruby", ToolWritten, ""},
		{"app/proguard-rules.pro", "# Add project specific ProGuard rules here.\n", "text", ToolWritten, ""},
		{"app/src/main/baseline-prof.txt", "LJ/N;\nLandroidx/activity/Cancellable;\n", "text", ToolWritten, ""},
		{"scripts/install.sh", "#!/bin/sh\nusage() {\n  this=$1\n  cat <<EOF\n$this: download go binaries for ada/pad\n", "bash", ToolWritten, ""},
		{"scripts/install.sh", "#!/bin/sh\ncp pad /usr/bin\n", "bash", "", ""},
		{"fastlane/README.md", "This README.md is auto-generated and will be re-generated every time [_fastlane_](https://fastlane.tools) is run.\n", "text", ToolWritten, ""},
		{"gl.h", "/**\n * Loader generated by glad 2.0.8 on Sun Nov 16 03:16:59 2025\n */\nint GLAD_GL_VERSION_1_0;\n", "c", ToolWritten, ""},
		{"gl.c", "#ifndef GLAD_IMPL_UTIL_C_\n#define GLAD_IMPL_UTIL_C_\n#endif\n", "c", ToolWritten, ""},
		{"load.c", "#include <glad/gl.h>\nint main(void) { return gladLoadGL(); }\n", "c", "", ""},
		{"license.go", "package license\n", "go", "", ""},
		{"licensing.md", "x\n", "text", "", ""},
		{".github/CODE_OF_CONDUCT.md", "# Contributor Covenant Code of Conduct\n", "text", LicenceText, ""},
		{"newgem/CODE_OF_CONDUCT.md.tt", "See [homepage].\n[homepage]: http://contributor-covenant.org\n", "text", LicenceText, ""},
		{"assets/epl1.html", "<html><h2>Eclipse Public License - v 1.0</h2>\n<p>THE ACCOMPANYING PROGRAM IS PROVIDED UNDER THE TERMS OF THIS ECLIPSE\n    PUBLIC LICENSE (\"AGREEMENT\").</p>", "text", LicenceText, ""},
		{"about.md", "Mozilla Public License\n1.1. \"Contributor\" means each individual or legal entity that creates, contributes to the\ncreation of, or owns Covered Software.\n", "text", LicenceText, ""},
		{"about.md", "This is under the Eclipse Public License 1.0.\n", "text", "", ""},
		{"CONDUCT.md", "This code is adapted from the Contributor Covenant, version 1.0\n", "text", LicenceText, ""},
		{"conductors.md", "They sing under the Contributor Covenant.\n", "text", "", ""},
		{"Code of Conduct.md", "This code is adapted from the [Contributor Covenant], version 1.1.0\n", "text", LicenceText, ""},
		{"CODE_OF_CONDUCT.md", "Be kind, as our club has always been.\n", "text", "", ""},
		{"lorem.str", "Lorem ipsum dolor sit amet, consectetur adipiscing elit.\n", "text", Data, ""},
		{"fixtures/page.txt", "\n\"LOREM IPSUM DOLOR SIT AMET, consectetur\"\n", "text", Data, ""},
		{"essay.txt", "Typesetters write Lorem ipsum dolor sit amet.\n", "text", "", ""},
		{"a.go", "package a // Lorem ipsum dolor sit amet\n", "go", "", ""},
		{"guide.md", "We use the Contributor Covenant.\n", "text", "", ""},
		{".github/ISSUE_TEMPLATE/bug_report.md", "A clear and concise description of what the bug is.\n\nSteps to reproduce the behavior:\n", "text", ToolWritten, ""},
		{".github/ISSUE_TEMPLATE/ours.md", "Which rows are wrong? Steps to reproduce the behavior:\n", "text", "", ""},
		{"a.go", "// Code generated by x. DO NOT EDIT.\npackage a\n", "go", marked, ""},
		{"a.py", "# -*- coding: utf-8 -*-\n# Generated by the protocol buffer compiler.  DO NOT EDIT!\n", "python", marked, ""},
		{"a.rs", "// @generated\nfn a() {}\n", "rust", marked, ""},
		{"a.rs", "// This file is @generated by prost-build.\nfn a() {}\n", "rust", marked, ""},
		{"a.rs", "/// Reads what @generated marks.\nfn a() {}\n", "rust", "", ""},
		{"a.py", "# This is a generated file! Please edit source .ksy file and use kaitai-struct-compiler to rebuild\nimport a\n", "python", marked, ""},
		{"a.c", "/* A Bison parser,\n   generated automatically.\n   Do not edit. */\n", "c", "", ""},
		{"lex.yy.c", "\n#line 3 \"lex.yy.c\"\n\n#define  YY_INT_ALIGNED short int\n\n/* A lexical scanner generated by flex */\n", "c", marked, ""},
		{"y.tab.c", "/* A Bison parser, made by GNU Bison 3.8.2.  */\n\nint a;\n", "c", marked, ""},
		{"Lexer.java", "/* The following code was generated by JFlex 1.4.3 */\nclass A {}\n", "java", marked, ""},
		{"a.c", "/* Generates what a Bison parser, made by hand, reads. */\nint a;\n", "c", "", ""},
		{"table.css", ".autogenerated-table { color: red }\nbody { color: blue }\n", "text", "", ""},
		{"doc/ev.3", ".\\\" Automatically generated by Pod::Man 4.11 (Pod::Simple 3.35)\n.\\\"\n.TH EV 3\n", "text", marked, ""},
		{"xt/kwalitee.t", "use strict;\n\n# this test was generated with Dist::Zilla::Plugin::Test::Kwalitee 2.12\n", "text", ToolWritten, ""},
		{"src/Makefile.am", "# Makefile.am generated automatically by autoscan\n", "text", marked, ""},
		{"README.md", "<!-- README.md is generated from README.Rmd. Please edit that file -->\n", "text", "", ""},
		{"a.c", "/* This table is generated by gentable, then sorted by hand. */\nint a;\n", "c", "", ""},
		{"a.go", "// Keys are generated by the caller.\npackage a\n", "go", "", ""},
		{"a.ts", "/* Do not change, this code is generated from Go structs */\n\nexport class A {}\n", "typescript", marked, ""},
		{"a.h", "// This code is auto generated, don't modify it by hand.\nint a;\n", "c", marked, ""},
		{"a.cs", "// This code was made by a tool (generated).\n// Changes to this file will be lost.\nclass A {}\n", "csharp", marked, ""},
		{"a.py", "# Hashes are generated here. Changes to them are kept.\na = 1\n", "python", "", ""},
		{"a.py", "# file generated by setuptools_scm\n# don't change, don't track in version control\na = 1\n", "python", marked, ""},
		{"a.go", "package a\n\n// Test that random number sequences generated by a specific seed\n// do not change from version to version.\n", "go", "", ""},
		{"a.ts", "// IDs are generated by the server and must not be changed.\nexport class A {}\n", "typescript", "", ""},
		{"a.py", "# Reports are generated every hour. Edits in between may be lost.\na = 1\n", "python", "", ""},
		{"a.go", "package a\nconst s = \"generated by x, do not edit\"\n", "go", "", ""},
		{"a.pb.go", "// Code generated by protoc-gen-go. DO NOT EDIT.\n// versions:\n\npackage a\n", "go", marked, ""},
		{"a.pb.go", "package a // written by hand\n", "go", "", ""},
		{"a_pb2.py", "# -*- coding: utf-8 -*-\n# Generated by the protocol buffer compiler.  DO NOT EDIT!\nimport sys\n", "python", marked, ""},
		{"A.designer.cs", "//------\n// <auto-generated>\n//     This code was generated by a tool.\n", "csharp", marked, ""},
		{"package-lock.json", "{\"name\": \"a\"}\n", "text", Data, ""},
		{"Cargo.lock", "[[package]]\n", "text", Data, ""},
		{"go.mod", "module a\n", "text", Data, ""},
		{"PATENTS", "Grant of rights\n", "text", LicenceText, ""},
		{"NOTICE.txt", "x\n", "text", LicenceText, ""},
		{"CREDITS", "x\n", "text", LicenceText, ""},
		{"APACHE-LICENSE-2.0", "x\n", "text", LicenceText, ""},
		{"conf/license/Academic Free License v2.1", "x\n", "text", LicenceText, ""},
		{"options/license/Zlib", "x\n", "text", LicenceText, ""},
		{"docs/MIT-LICENSE.txt", "x\n", "text", LicenceText, ""},
		{"licenses/README.md", "x\n", "text", LicenceText, ""},
		{"license/README.md", "x\n", "text", "", ""},
		{"templates/notice.tmpl", "x\n", "text", "", ""},
		{"docs/licensing.md", "x\n", "text", "", ""},
		{"dist/third-party-notices.txt", "x\n", "text", LicenceText, ""},
		{"ThirdPartyNotices.md", "x\n", "text", LicenceText, ""},
		{"third_party.go", "package a\n", "go", "", ""},
		{"web/.eslintrc.cjs", "module.exports = {}\n", "javascript", Data, ""},
		{"docs/stylesheet.css", "/* Javadoc style sheet */\n\nbody {\n}\n", "text", ToolWritten, ""},
		{"docs/script.js", "function show(type)\n{\n  sNode.className = activeTableTab;\n}\n", "javascript", ToolWritten, ""},
		{"docs/own.css", "/* Colours for pages that doxygen writes */\nbody {\n}\n", "text", "", ""},
		{"web/eslint.config.mts", "export default []\n", "typescript", Data, ""},
		{"web/app.config.js", "export default []\n", "javascript", "", ""},
		{"WORKSPACE.bazel", "workspace(name = \"a\")\n", "text", Data, ""},
		{"Package.swift", "let p = Package(name: \"a\")\n", "swift", Data, ""},
		{"Sources/Packages.swift", "let p = 1\n", "swift", "", ""},
		{"src/Properties/AssemblyInfo.cs", "[assembly: ComVisible(false)]\n", "csharp", Data, ""},
		{"a.gemspec", "Gem::Specification.new\n", "ruby", Data, ""},
		{"gradlew", "#!/bin/sh\nexec java -jar gradle/wrapper/gradle-wrapper.jar\n", "bash", ToolWritten, ""},
		{"gradlew", "#!/bin/sh\nexec mine\n", "bash", "", ""},
		{"x/mvnw.cmd", "@REM Apache Maven Wrapper startup\n", "text", ToolWritten, ""},
		{"api/A.html", "<html><head><meta name=\"generator\" content=\"rustdoc\">\n", "text", ToolWritten, ""},
		{"api/B.html", "<html>\n" + strings.Repeat("<p>x</p>\n", 1000) + "<p>Generated by <a href=\"x\">jazzy</a>\n", "text", ToolWritten, ""},
		{"c.html", "<html><p>how pages are generated</p>\n", "text", "", ""},
		{"App.xcscheme", "<?xml version=\"1.0\"?>\n<Scheme>\n", "text", Data, ""},
		{"project.pbxproj", "// !$*UTF8*$!\n{\n", "text", Data, ""},
		{"dist/admin.js.map", "{\"version\":3,\"file\":\"admin.js\",\"mappings\":\"MACA\"}", "text", Data, ""},
		{"world.map", "wall 1 2\n", "text", "", ""},
		{"cmake/cmake_uninstall.cmake.in", "if(NOT EXISTS \"@CMAKE_BINARY_DIR@/install_manifest.txt\")\n  message(FATAL_ERROR \"Cannot find install manifest\")\n", "text", ToolWritten, ""},
		{"win/game.dev", "[Project]\r\nFileName=game.dev\r\n\r\n[Unit1]\r\nOverrideBuildCmd=0\r\n", "text", ToolWritten, ""},
		{"game.dev", "[Project]\nname=own\n", "text", "", ""},
		{"docs/make.bat", "@ECHO OFF\n\nREM Command file for Sphinx documentation\n", "text", ToolWritten, ""},
		{"docs/conf.py", "# Configuration file for the Sphinx documentation builder.\n\n# -- General configuration ---------\n\nextensions = []\n", "python", ToolWritten, ""},
		{"docs/conf.py", "# -- General configuration ---------\n\nextensions = []\n\n\ndef setup(app):\n    pass\n", "python", "", ""},
		{"conf.py", "host = 1\n", "python", "", ""},
		{"docs/conf.py", "import own\n\n# Add any Sphinx extension module names here, as strings. They can be\nextensions = []\n", "python", ToolWritten, ""},
		{"man/a.1.html", "<!DOCTYPE html>\n<html><head><meta name='generator' value='Ronn/v0.7.3'></head></html>\n", "text", ToolWritten, ""},
		{"docs/Makefile.sphinx", "# Makefile for Sphinx documentation\n", "text", ToolWritten, ""},
		{"docs/Makefile.am", "# Pages. See the Makefile for Sphinx documentation.\n", "text", "", ""},
		{"docs/Makefile", "# Minimal makefile for Sphinx documentation\n#\n", "text", ToolWritten, ""},
		{"libtool", "#! /bin/bash\n\n# libtoolT - Provide generalized library-building support services.\n", "bash", ToolWritten, ""},
		{"php/configure", "#! /bin/sh\n\n# Guess values for system-dependent variables and create Makefiles.\n# Generated automatically using autoconf version 2.13 \n", "bash", ToolWritten, ""},
		{"build-aux/git-version-gen", "#!/bin/sh\n# Print a version string.\nscriptversion=2012-12-31.23; # UTC\n", "bash", ToolWritten, ""},
		{"config/environments/test.rb", "Rails.application.configure do\n  # Settings specified here will take precedence over those in config/application.rb.\nend\n", "ruby", ToolWritten, ""},
		{"config/environments/test.rb", "Rails.application.configure do\n  config.eager_load = false\nend\n", "ruby", "", ""},
		{"public/404.html", "<html>\n<p>You may have mistyped the address or the page may have moved.</p>\n", "text", ToolWritten, ""},
		{"public/404.html", "<html>\n<p>Not here.</p>\n", "text", "", ""},
		{"site/manage.py", "import sys\nfrom django.core.management import execute_from_command_line\nexecute_from_command_line(sys.argv)\n", "python", ToolWritten, ""},
		{"site/settings.py", "# Quick-start development settings - unsuitable for production\n# See https://docs.djangoproject.com/\n", "python", ToolWritten, ""},
		{"site/settings.py", "# Quick-start development settings - unsuitable for production\n\ndef own(a):\n    return a\n", "python", "", ""},
		{"site/settings.py", "import os\n\nDEBUG = bool(os.environ.get('DEBUG'))\n", "python", "", ""},
		{"src/tool.c", "#include <gio/gio.h>\n\nstatic int is(const char *name) { return g_str_has_prefix(name, \".gresource.\"); }\n", "c", "", ""},
		{"src/app-resources.c", "#include <gio/gio.h>\n\n# define SECTION __attribute__ ((section (\".gresource.app\"), aligned (8)))\n", "c", ToolWritten, ""},
		{"src/support.c", "/*\n * DO NOT EDIT THIS FILE - it is generated by Glade.\n */\nint a;\n", "c", ToolWritten, ""},
		{"src/support.c", "/* Unlike interface.c, it is generated by Glade no more. */\nint support(int a) { return a; }\n", "c", "", ""},
		{"src/support.c", "int support(int a) { return a; }\n", "c", "", ""},
		{"src/parser/JJTParserState.java", "/* Generated By:JJTree: Do not edit this line. JJTParserState.java */\nclass JJTParserState { }\n", "java", ToolWritten, ""},
		{"src/enums.c.template", "/*** BEGIN value-header ***/\nGType\n@enum_name@_get_type (void)\n/*** END value-header ***/\n/*** BEGIN value-production ***/\n/*** END value-production ***/\n", "text", ToolWritten, ""},
		{"src/config-util.h.in", "/* config-util.h.in.  Generated from configure.ac by autoheader.  */\n#undef HAVE_X\n", "c", ToolWritten, ""},
		{"config.h", "/* config.h.  Generated from config.h.in by configure.  */\n#define HAVE_X 1\n", "c", ToolWritten, ""},
		{"fonts/OFL.txt", "This Font Software is licensed under the SIL Open Font License, Version 1.1.\n", "text", LicenceText, ""},
		{"doc/fdl.texi", "@c The GNU Free Documentation License.\n", "text", LicenceText, ""},
		{"config/depcomp", "#! /bin/sh\n# depcomp - compile a program generating dependencies as side-effects\n", "bash", ToolWritten, ""},
		{"src/Makefile.in", "# Makefile.in generated by automake 1.16.5 from Makefile.am.\n", "text", ToolWritten, ""},
		{"doc/CORBA_ThirdPartyLicenseREADME.txt", "the following software may be included\n", "text", LicenceText, ""},
		{"src/makefile.in", "# makefile.in generated by automake 1.12.3 from makefile.am.\n", "text", ToolWritten, ""},
		{"src/Makefile.in", "all:\n\tcc -o tool tool.c\n", "text", "", ""},
		{"m4/ltoptions.m4", "# Helper functions for option handling.\n#\n# Copyright (C) 2004 Free Software Foundation, Inc.\n#\n# This file is free software; the Free Software Foundation gives\n# unlimited permission to copy and/or distribute it\n", "text", ToolWritten, ""},
		{"m4/iconv.m4", "dnl Copyright (C) 2000 Free Software Foundation, Inc.\ndnl This file is free software; the Free Software Foundation gives\ndnl unlimited permission to copy\n", "text", ToolWritten, ""},
		{"m4/codeset.m4", "dnl Copyright (C) 2000-2002 Free Software Foundation, Inc.\ndnl As a special exception to the GNU General Public License, this\ndnl file may be distributed as part of a program\ndnl that contains a configuration script generated by\ndnl Autoconf.\n", "text", ToolWritten, ""},
		{"m4/ours.m4", "dnl Copyright (C) 2000 Our Company\nAC_DEFUN([OURS], [])\n", "text", "", ""},
		{"autom4te.cache/traces.0", "m4trace:aclocal.m4:1: -1- AC_SUBST([am__isrc])\n", "text", ToolWritten, ""},
		{"po/en@quot.header", "# All this catalog \"translates\" are quotation characters.\n", "text", ToolWritten, ""},
		{"po/quot.sed", "s/\"\\([^\"]*\\)\"/\u201c\\1\u201d/g\n", "text", ToolWritten, ""},
		{"config.h.in", "/* config.h.in.  Generated from configure.ac by autoheader.  */\n\n#undef HAVE_X\n", "c", ToolWritten, ""},
		{"migrations/env.py", "from alembic import context\n\n# this is the Alembic Config object, which provides\n# access to the values within the .ini file in use.\nconfig = context.config\n", "python", ToolWritten, ""},
		{"src/env.py", "import os\n\ndef home():\n    return os.environ['HOME']\n", "python", "", ""},
		{"pkg/_version.py", "# This file helps to compute a version number in source trees obtained from\n# git-archive tarball\nimport errno\n", "python", ToolWritten, ""},
		{"config/initializers/devise.rb", "# Use this hook to configure devise mailer, warden hooks and so forth.\nDevise.setup do |config|\nend\n", "ruby", ToolWritten, ""},
		{"test/karma-ci.conf.cjs", "module.exports = config => {\n  config.set({\n    // base path that will be used to resolve all patterns (eg. files, exclude)\n    basePath: '',\n", "javascript", ToolWritten, ""},
		{"test/karma.conf.js", "module.exports = config => config.set({basePath: ''})\n", "javascript", "", ""},
		{"doc/.doxygen", "# Doxyfile 1.5.8\n\n# This file describes the settings to be used by the documentation system\n# doxygen (www.doxygen.org) for a project\n", "text", ToolWritten, ""},
		{"src/x/TokenMgrError.java", "package x;\n\npublic class TokenMgrError extends Error {\n  static final int LEXICAL_ERROR = 0; // Lexical error occurred.\n}\n", "java", ToolWritten, ""},
		{"src/x/Token.java", "package x;\n\n/** A coin of the metro. */\nclass Token {}\n", "java", "", ""},
		{"completions/tool.bash", "_tool() {\n    local i cur prev opts cmd\n    COMPREPLY=()\n", "bash", ToolWritten, ""},
		{"completions/_tool", "#compdef tool\n\nautoload -U is-at-least\n\n_tool() {\n", "text", ToolWritten, ""},
		{"completions/tool.fish", "# Print an optspec\nfunction __fish_tool_global_optspecs\n\tstring join \\n q v\nend\n", "text", ToolWritten, ""},
		{"completions/tool.sh", "# bash completion V2 for tool                                -*- shell-script -*-\n\n__tool_debug()\n{\n", "bash", ToolWritten, ""},
		{"profile.ps1", "Register-ArgumentCompleter -Native -CommandName dotnet -ScriptBlock {\n", "text", "", ""},
		{"setup.zsh", "# own\n\nautoload -U is-at-least\n\n_own() {\n", "bash", "", ""},
		{"log.sh", "# -*- shell-script -*-\n\nlog_debug() {\n", "bash", "", ""},
		{"completions/own", "# bash completion for own                                -*- shell-script -*-\n\n_own()\n{\n    local cur prev opts\n", "text", "", ""},
		{"lang/en/validation.php", "<?php\nreturn [\n    'accepted' => 'The :attribute must be accepted.',\n];\n", "php", ToolWritten, ""},
		{"lang/ru/validation.php", "<?php\nreturn [\n    'accepted' => 'Вы должны принять :attribute.',\n];\n", "php", "", ""},
		{"src/validation.php", "<?php\nclass Own {\n    const NOTE = 'The :attribute must be accepted.';\n}\n", "php", "", ""},
		{"src/pagination.php", "<?php\nfunction own($n) { return '&laquo; Previous'; }\n", "php", "", ""},
		{"spec/spec_helper.rb", "RSpec.shared_examples 'own' do\nend\nRSpec.configure do |config|\n  # rspec-expectations config goes here. You can use an alternate\n  config.shared_context_metadata_behavior = :apply_to_host_groups\nend\n", "ruby", "", ""},
		{"spec/spec_helper.rb", "RSpec.configure do |config|\n  # rspec-expectations config goes here. You can use an alternate\n  config.shared_context_metadata_behavior = :apply_to_host_groups\nend\n", "ruby", ToolWritten, ""},
		{"spec/spec_helper.rb", "def own\nend\n\nRSpec.configure do |config|\n  # rspec-expectations config goes here. You can use an alternate\nend\n", "ruby", "", ""},
		{"website/README.md", "# Website\n\nThis website is built using [Docusaurus](https://docusaurus.io/).\n", "text", ToolWritten, ""},
		{"win32/own.dsp", "# Microsoft Developer Studio Project File - Name=\"own\" - Package Owner=<4>\n", "text", ToolWritten, ""},
		{"README.md", "This website is built using [Docusaurus](https://docusaurus.io/).\n" + strings.Repeat("Own words.\n", 200), "text", "", ""},
		{"src/pages/index.tsx", "<header className={clsx('hero hero--primary', styles.heroBanner)}>\n", "text", ToolWritten, ""},
		{"src/pages/index.tsx", "<header className={clsx('hero hero--primary', styles.heroBanner)}>\n" + strings.Repeat("own();\n", 600), "text", "", ""},
		{"src/components/HomepageFeatures/index.js", "<div className={clsx('col col--4')}>\n<Svg className={styles.featureSvg} role=\"img\" />\n", "javascript", ToolWritten, ""},
		{"src/components/Team/index.js", "<div className={clsx('col col--4')}>\n", "javascript", "", ""},
		{"index.rb", "# styles.heroBanner)\n", "ruby", "", ""},
		{"ti.c", "/* skips \"Reconstructed via infocmp from file\" */\n", "c", "", ""},
		{"src/pages/index.module.css", ".heroBanner {\n", "text", ToolWritten, ""},
		{"src/pages/about.tsx", "<header className={clsx('hero hero--primary', styles.heroBanner)}>\n", "text", "", ""},
		{"xterm.caps", "#\tReconstructed via infocmp from file: /usr/share/terminfo/78/xterm\nxterm|xterm terminal emulator,\n", "text", ToolWritten, ""},
		{"icons/Ring.kt", composeDrawing, "kotlin", ToolWritten, ""},
		{"icons/Ring.kt", composeDrawing + "\n@Composable\nprivate fun Ring() = Icon(Ring)\n", "kotlin", "", ""},
		{"icons/Ring.kt", composeDrawing + "\n@Composable fun Ring() = Icon(Ring)\n", "kotlin", "", ""},
		{"icons/Ring.kt", composeDrawing + "\noperator fun Ring.plus(o: Ring) = o\n", "kotlin", "", ""},
		{"icons/Ring.kt", composeDrawing + "\nval area = { r: Float -> r.squared }\n", "kotlin", "", ""},
		{"icons/Ring.kt", composeDrawing + "\nval Ring.area get() = width * height\n", "kotlin", "", ""},
		{"icons/Ring.kt", composeDrawing + "\nobject Rings {\n    init {\n        load()\n    }\n}\n", "kotlin", "", ""},
		{"icons/Ring.kt", composeDrawing + "\nval rings by lazy { readRings(\"a\") }\n", "kotlin", "", ""},
		{"icons/Ring.kt", composeDrawing + "\nval sum = \"${rings.sum()}\"\n", "kotlin", "", ""},
		{"icons/Ring.kt", "// Drawn by a class of converters (v1), see it's fun\n" + composeDrawing + "\nval Small: ImageVector by lazy(LazyThreadSafetyMode.NONE) {\n    materialIcon(name = \"When (do)\") { materialPath { close() } }\n}\n", "kotlin", ToolWritten, ""},
		{"icons/Ring.java", composeDrawing, "java", "", ""},
		{"missing", "#!/bin/sh\necho what is missing\n", "bash", "", ""},
		{"make.bat", "cl main.c\n", "text", "", ""},
		{"figure.eps", "%!PS-Adobe-3.0 EPSF-3.0\n%%Creator: cairo\n/l {lineto} bind def\n", "text", Data, ""},
		{"rotate.ps", "%!PS-Adobe-3.0\n/l {lineto} bind def\n", "text", "", ""},
		{"certs/5ed36f99.0", "-----BEGIN CERTIFICATE-----\nMIIHPTCCBSWgAwIBAgIBADANBgkqhkiG9w0BAQQFADB5\n-----END CERTIFICATE-----\n", "text", Data, ""},
		{"dh.pem", "    Parameters, in words, longer than what follows them here\n-----BEGIN DH PARAMETERS-----\nMIIH\n-----END DH PARAMETERS-----\n", "text", Data, ""},
		{"keys.md", "# How to make a key\n\nIt begins with a line such as the following, and ends with another.\n\n    -----BEGIN X-----\n    -----END X-----\n", "text", "", ""},
		{"signed.txt", "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA1\n\nWe agree.\n-----BEGIN PGP SIGNATURE-----\nMIIH\n-----END PGP SIGNATURE-----\n", "text", "", ""},
		{"page.vue", "<template><a/></template>\n", "text", "", ""},
		{".hidden.js", "let a\n", "javascript", "", ""},
		{"rc.js", "let a\n", "javascript", "", ""},
		{"notices.py", "a = 1\n", "python", "", ""},
		{"docs/README.md", "# A title\n\nSome words.\n", "text", "", ""},
		{"a.HPP", "int a;\n", "cpp", "", ""},
		{"A.JAVA", "class A {}\n", "java", "", ""},
		{"a.h", "template <typename T> struct A {};\n", "cpp", "", ""},
		{"a.h", "/* about a class */\nstruct a { int b; };\n", "c", "", ""},
		{"a.h", "#import <Foundation/Foundation.h>\n", "objc", "", ""},
		{"run", "#!/bin/sh\nset -e\n", "bash", "", ""},
		{"run", "#!/usr/bin/env node\nlet a\n", "javascript", "", ""},
		{"run", "#!/usr/bin/ruby -w\na = 1\n", "ruby", "", ""},
		{"run", "#!/usr/bin/php\n<?php\n", "php", "", ""},
		{"run", "#!\n", "text", "", ""},
		{"Makefile", "all:\n\ttrue\n", "text", "", ""},
		{"Gemfile", "gem 'a'\n", "ruby", "", ""},
		{"a.php", "<?hh\nfunction a() {}\n", "text", "", ""},
		{"a.d.ts", "declare const a: number;\n", "typescript", "", ""},
		{"a.mts", "let a\n", "typescript", "", ""},
		{"a.cjs", "let a\n", "javascript", "", ""},
		{"a.pyi", "a: int\n", "python", "", ""},
		{"a.kts", "val a = 1\n", "kotlin", "", ""},
		{"a.cxx", "int a;\n", "cpp", "", ""},
		{"a.pdf", "%PDF-1.4\n", "text", Binary, ""},
		{"a.txt", "\x89PNG\r\n", "text", Binary, ""},
		{"a.go", "\ufeffpackage a\n", "go", "", ""},
		{"a.go", "\n", "go", "", ""},
		{"", "words\n", "text", "", ""},
		{"a.css", strings.ReplaceAll(minified, "\n", ""), "text", Minified, ""},
		{"a.min.js", minified, "javascript", Minified, ""},
		{"a.js", strings.ReplaceAll(minified, ";", ";\n"), "javascript", "", ""},
	} {
		d := Detect(c.name, []byte(c.content))
		generated := c.skip == marked || c.skip == Minified
		if c.skip == marked {
			c.skip = ""
		}
		if d.Language.Name != c.lang || d.Skip != c.skip || d.Note != c.note || d.Generated != generated {
			t.Errorf("%s %.40q: %s skip %q note %q generated %v, want %s skip %q note %q",
				c.name, c.content, d.Language.Name, d.Skip, d.Note, d.Generated, c.lang, c.skip, c.note)
		}
		short := Detect(ShortName("some/where/"+c.name), []byte(c.content))
		if short.Language != d.Language || short.Skip != d.Skip || short.Note != d.Note || short.Generated != d.Generated {
			t.Errorf("%s by its short name: %s skip %q note %q generated %v", c.name, short.Language.Name, short.Skip, short.Note, short.Generated)
		}
	}
}

// TestLinesThatEndWithCR: code with the line ends of old Macs is read as with others, also if an LF is put at its end to hide it. A
// line comment would hide the rest. Offsets are those of the file.
func TestLinesThatEndWithCR(t *testing.T) {
	const code = "// first\nclass A {\n  int b; // c\n  int d = 1;\n}\n"
	cr := strings.ReplaceAll(code, "\n", "\r")
	for _, stored := range []string{cr, cr + "\n", "\r\n" + cr} {
		text := Text("A.java", []byte(stored))
		if got, want := strings.TrimSpace(string(text)), strings.TrimSpace(code); got != want {
			t.Errorf("%q: %q", stored, got)
		}
		if first, end := InFile("A.java", []byte(stored), text, 3, 9); first != 3 || end != 9 {
			t.Errorf("%q: bytes 3 to 9 are told as %d to %d", stored, first, end)
		}
	}
	for _, other := range []string{code, strings.ReplaceAll(code, "\n", "\r\n"), code + "x = \"\r\";\n", ""} {
		if got := Text("A.java", []byte(other)); string(got) != other {
			t.Errorf("%q became %q", other, got)
		}
	}
}

// TestFromUTF16: texts of both byte orders come back, with and without a mark; other contents stay.
func TestFromUTF16(t *testing.T) {
	text := "int main() {\r\n\treturn 0; // Größe, 字, 🙂\r\n}\r\n" + strings.Repeat("int x = 1;\n", 50)
	const chinese = "// 一个　注释\n" // has characters whose lower byte is 0
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		for mark, text := range map[string]string{"": text + "Ā一　", "\ufeff": strings.Repeat(chinese, 60) + text} {
			var stored []byte
			for _, u := range utf16.Encode([]rune(mark + text)) {
				stored = order.AppendUint16(stored, u)
			}
			if got := string(fromUTF16(stored)); got != text {
				t.Errorf("%v with mark %q: %q", order, mark, got[:40])
			}
			if got := fromUTF16(append(stored, 'x')); string(got) != text {
				t.Errorf("%v with half a unit at the end: %q", order, got)
			}
		}
	}
	for _, other := range []string{"", "a", text, "\xff\xfe", "\xff\xfe\x01\x02\x03\x04\x05\x06", strings.Repeat("\x00", 100), strings.Repeat("\x00\x00\x01\x00", 50), "MZ\x90\x00\x03\x00\x00\x00\x04\x00\x00\x00"} {
		if got := string(fromUTF16([]byte(other))); got != other {
			t.Errorf("%q became %q", other, got)
		}
	}
}

func TestVendored(t *testing.T) {
	for path, want := range map[string]bool{
		"vendor/a/b.go": true, "x/node_modules/y/z.js": true, "Pods/A/b.m": true, "lib/python3/site-packages/a.py": true,
		"Godeps/_workspace/src/a.go": true, "Godeps/Godeps.json": false, "third_party/zlib/inflate.c": false, "external/a.c": false,
		"a/vendor/b.go": true, "vendor": false, "vendor/": true, "": false, "a/.venv/lib/b.py": true, "Carthage/Build/a.swift": true,
		"Carthage/a.swift": false, ".cargo/registry/src/a.rs": true, "src/node_modules.js": false, "Vendor/a.go": false,
		"resources/views/vendor/mail/a.blade.php": false, "app/resources/lang/vendor/backup/en/a.php": false, "views/vendor/a.php": true,
		"resources/views/vendor/mail/vendor/a.php": true, "vendor/p/resources/views/vendor/a.php": true, "resources/views/vendor/x": false,
		"vendor.go": false, "my_vendor/a.go": false, "src/vendors/a.go": false, "deps/a.c": false,
		".pnp.cjs": true, "web/.pnp.loader.mjs": true, "pnp.cjs": false, "a.pnp.cjs": false, ".yarn/releases/yarn-4.0.0.cjs": true,
		".yarn/sdks/eslint/lib/api.js": true, ".yarn/plugins/a.cjs": true, ".yarn/patches/a.patch": false, ".pnp.cjs/a.js": false,
	} {
		if Vendored(path) != want {
			t.Errorf("%s: %v, want %v", path, !want, want)
		}
	}
}

func TestVendoredIn(t *testing.T) {
	for _, c := range []struct{ path, named, want string }{
		{"web/vendor/a/b.go", "web", "web/vendor"}, {"web/vendor/a/b.go", "web/vendor/a", ""}, {"web/vendor/a/b.go", "web/vendor/a/b.go", ""},
		{"web/.pnp.cjs", "web", "web/.pnp.cjs"}, {"web/.pnp.cjs", "web/.pnp.cjs", ""}, {"web/a.go", "web", ""},
	} {
		if got := VendoredIn(c.path, []string{c.named}); got != c.want {
			t.Errorf("%s where %s is named: %q, want %q", c.path, c.named, got, c.want)
		}
	}
}

func BenchmarkDetect(b *testing.B) {
	for _, c := range []struct{ name, unit string }{
		{"a.go", "package a // words\n"}, {"a.h", "int a; /* words */\n"}, {"a.js", "let a = 1;\n"}, {"README.md", "some words\n"},
	} {
		content := []byte(strings.Repeat(c.unit, 16<<10/len(c.unit)))
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(content)))
			for b.Loop() {
				Detect(c.name, content)
			}
		})
	}
}
