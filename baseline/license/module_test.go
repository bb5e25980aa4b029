package license

import (
	"strings"
	"testing"
)

// Bundles as bundlers write them: own code, a module with a notice, one without.
const (
	webpackMin = `(()=>{var e={675:(e,r)=>{"use strict";r.own=function(){return 1}},72:(e,r,t)=>{"use strict";
/*! The buffer module. @author A <a@b.c>
 * @license ISC
 */r.buffer=function(){return 2}},9:function(e,t){t.plain=function(){return 3}}};var t={};function r(n){var o=t[n]={exports:{}};e[n](o,o.exports,r)}})();
`
	webpackDev = `/******/ (function(modules) { function __webpack_require__(id) {} })({
/***/ "./src/own.js":
/***/ (function(module, exports) {
own();
/***/ }),
/***/ "./node_modules/base64-js/index.js":
/***/ (function(module, exports) {
plain();
/***/ }),
/***/ "./node_modules/ieee754/index.js":
/***/ (function(module, exports) {
/*! ieee754. BSD-3-Clause License. A <https://b.c> */
buffer();
/***/ })
});
`
	browserified = `/*! all 1.0 */
(function(f){f()})(function(){return (function e(t,n,r){})({1:[function(require,module,exports){
plain();
},{}],2:[function(require,module,exports){
// Copyright Joyent, Inc.
//
// ` + mitLine + `
buffer();
},{}]},{},[1])});
`
	named_  = "/** @license r.js */\nvar own = 1;\n/*! a @license ISC */\ndefine('a', ['b'], function () {\n  buffer();\n});\ndefine('b', function () {\n  plain();\n});\n"
	mitLine = `Released under the MIT license.`
)

// A part of a bundle has the licence in the notice of its module. If other modules have a licence of their own, the licence of the
// bundle does not apply to a module without a notice.
func TestModules(t *testing.T) {
	for _, c := range []struct {
		text, at, own string
		want          InModule
		license       string
	}{
		{webpackMin, "r.buffer", "MPL-2.0", OfNotice, "ISC"},
		{webpackMin, "t.plain", "MPL-2.0", Unstated, ""},
		{webpackMin, "t.plain", "ISC", OfFile, ""}, // no module says anything else
		{webpackMin, "var t={}", "MPL-2.0", Unstated, ""},
		{webpackDev, "own()", "MIT", OfFile, ""},
		{webpackDev, "plain()", "MIT", Unstated, ""},
		{webpackDev, "buffer()", "MIT", OfNotice, "BSD-3-Clause"},
		{webpackDev, "function __webpack", "MIT", OfFile, ""},
		{browserified, "plain()", "GPL-2.0-only", Unstated, ""},
		{browserified, "buffer()", "GPL-2.0-only", OfNotice, "MIT"},
		{named_, "buffer()", "MIT", OfNotice, "ISC"},
		{named_, "plain()", "MIT", Unstated, ""},
		{named_, "own = 1", "MIT", OfFile, ""},
		{"own();\n/*! b @license ISC */\nfunction near() {}\n" + strings.Repeat("far();\n", 200) + "end();\n", "near", "MIT", OfNotice, "ISC"},
		{"own();\n/*! b @license ISC */\nfunction near() {}\n" + strings.Repeat("far();\n", 200) + "end();\n", "end()", "MIT", OfFile, ""},
		{"/*! b @license ISC */\nown();\n", "own()", "ISC", OfFile, ""},
		{"glob('src/**/*.js'); // released under the ISC license */\nown();\n", "own()", "MIT", OfFile, ""},
		{"", "", "MIT", OfFile, ""},
	} {
		from := strings.Index(c.text, c.at)
		s, got := ReadModules([]byte(c.text)).At(from, from+len(c.at), c.own)
		if got != c.want || s.License != c.license {
			t.Errorf("%.40q at %s: %v %q, want %v %q", c.text, c.at, got, s.License, c.want, c.license)
		}
		if line := 1 + strings.Count(c.text[:from], "\n"); got != OfFile && (s.Line < 1 || s.Line > line) {
			t.Errorf("%.40q at %s: line %d of %d", c.text, c.at, s.Line, line)
		}
	}
}
