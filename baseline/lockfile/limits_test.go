package lockfile

import (
	"strings"
	"testing"
)

func TestMarkers(t *testing.T) {
	for text, want := range map[string][3]answer{ // on Linux, macOS and Windows
		`sys_platform == "win32"`:                                          {fails, fails, holds},
		`platform_system == 'Windows'`:                                     {fails, fails, holds},
		`'nt' == os_name`:                                                  {fails, fails, holds},
		`sys_platform != "win32"`:                                          {holds, holds, fails},
		`sys_platform in "linux darwin"`:                                   {holds, holds, fails},
		`sys_platform not in 'win32,cygwin'`:                               {holds, holds, fails},
		`python_version < "3.11"`:                                          {depends, depends, depends},
		`python_version < "3.11" and sys_platform == "win32"`:              {fails, fails, depends},
		`python_version < "3.11" or sys_platform == "win32"`:               {depends, depends, holds},
		`(sys_platform=="win32" or os_name=="posix") and extra == 'x'`:     {depends, depends, depends},
		`platform_machine == "arm64" and sys_platform == "darwin"`:         {fails, fails, fails},
		`platform_machine != "aarch64"`:                                    {holds, holds, holds},
		`sys_platform != "linux2"`:                                         {holds, holds, holds},
		`platform_machine == "x86_64"`:                                     {depends, depends, depends},
		`sys_platform >= "win32"`:                                          {depends, depends, depends},
		`sys_platform == os_name`:                                          {depends, depends, depends},
		`nonsense`:                                                         {},
		`sys_platform == "win32" and`:                                      {},
		`sys_platform == "win32`:                                           {},
		`(sys_platform == "win32"`:                                         {},
		`sys_platform == "win32" )`:                                        {},
		``:                                                                 {},
		strings.Repeat("(", 1<<20):                                         {},
		strings.Repeat("(", 40) + `a == "b"` + strings.Repeat(")", 40):     {},
		`sys_platform == "win32" and not python_version == "3"`:            {},
		`sys_platform == "win32" and python_version not in "3.1"`:          {fails, fails, depends},
		`implementation_name == "cpython" and platform_system == "Darwin"`: {fails, depends, fails},
	} {
		for i, system := range []string{"linux", "darwin", "win32"} {
			if got := marks(text, system, "x64"); got != want[i] {
				t.Errorf("%.80s on %s: %d, want %d", text, system, got, want[i])
			}
		}
	}
}

// Packages that a lock file limits to other machines are marked. Packages that may be for this machine are not.
func TestLimitsOfPython(t *testing.T) {
	for name, text := range map[string]string{
		"requirements.txt": `win==1.0 ; sys_platform == "win32" --hash=sha256:00
open>=2 ; os_name == 'nt'
mac==1.0; sys_platform == 'darwin'
both==1.0; sys_platform == 'win32'
both==1.0; sys_platform == 'linux'
here==1.0; python_version < '3.11'
plain==1.0
`,
		"pyproject.toml": `[project]
dependencies = ["open>=2; os_name == 'nt'", "here>=1"]
[tool.poetry.dependencies]
win = {version = "^1", markers = "sys_platform == 'win32'"}
mac = {version = "^1", platform = "darwin"}
`,
		"poetry.lock": `[[package]]
name = "win"
version = "1.0"
markers = "sys_platform == \"win32\""
[[package]]
name = "here"
version = "1.0"
markers = "sys_platform == \"win32\" or python_version < \"3.11\""
[[package]]
name = "plain"
version = "1.0"
[[package]]
name = "mac"
version = "1.0"
markers = {main = "sys_platform == 'darwin'", dev = "sys_platform == 'win32'"}
[[package]]
name = "both"
version = "1.0"
markers = {main = "sys_platform == 'linux'", dev = "sys_platform == 'win32'"}
`,
		"pdm.lock": `[[package]]
name = "win"
version = "1.0"
marker = "sys_platform == \"win32\""
`,
		"Pipfile.lock": `{"default":{"win":{"version":"==1.0","markers":"sys_platform == 'win32'"},"here":{"version":"==1.0"},"open":{"version":"*","markers":"os_name == 'nt'"}}}`,
		"uv.lock": `version = 1
[[package]]
name = "x"
version = "1.0"
source = { virtual = "." }
dependencies = [{ name = "win", marker = "sys_platform == 'win32'" }, { name = "both", marker = "sys_platform == 'win32'" }, { name = "here" }]
[package.dev-dependencies]
dev = [{ name = "mac", marker = "sys_platform == 'darwin'" }]
[package.optional-dependencies]
all = [{ name = "both", marker = "sys_platform == 'linux'" }]
[[package]]
name = "win"
version = "1.0"
source = { registry = "https://pypi.org/simple" }
[[package]]
name = "both"
version = "1.0"
source = { registry = "https://pypi.org/simple" }
[[package]]
name = "mac"
version = "1.0"
source = { registry = "https://pypi.org/simple" }
[[package]]
name = "here"
version = "1.0"
source = { registry = "https://pypi.org/simple" }
`,
	} {
		f, err := Of(name).Read([]byte(text), Poms{})
		if err != nil {
			t.Fatal(name, err)
		}
		for _, p := range f.Pins {
			other := strings.Contains(p.PURL, "win") || strings.Contains(p.PURL, "mac")
			if got := p.Limits.Excludes("linux", "x64"); got != other {
				t.Errorf("%s: %s is for other machines: %v", name, p.PURL, got)
			}
		}
		for _, l := range f.Left {
			other := l.Name == "win" || l.Name == "mac" || l.Name == "open"
			if got := l.Limits.Excludes("linux", "x64"); got != other {
				t.Errorf("%s: %s is for other machines: %v", name, l.Name, got)
			}
		}
	}
}

// bun writes one name or a list, behind what an entry of another kind does not have.
func TestLimitsOfBun(t *testing.T) {
	lock := `{"packages":{"win":["win@1","",{"os":"win32"},""],"arm":["arm@1","",{"cpu":["arm","arm64"]},""],"musl":["musl@1","",{"os":"linux","libc":"musl"},""],
"not":["not@1","",{"os":"!linux"},""],"here":["here@1","",{"os":["darwin","linux"],"cpu":"x64"},""],"all":["all@1","",{},""],"odd":["odd@1","",{"os":3},""]}}`
	f, err := Of("bun.lock").Read([]byte(lock), Poms{})
	if err != nil || len(f.Pins) != 7 {
		t.Fatal(f, err)
	}
	for _, p := range f.Pins {
		other := strings.Contains("pkg:npm/win@1 pkg:npm/arm@1 pkg:npm/musl@1 pkg:npm/not@1", p.PURL)
		if got := p.Limits.Excludes("linux", "x64"); got != other {
			t.Errorf("%s is for other machines: %v", p.PURL, got)
		}
	}
}

// pnpm says which packages are optional: since version 9 apart from the machines that they are for.
func TestLimitsOfPNPM(t *testing.T) {
	for _, lock := range []string{
		"lockfileVersion: '9.0'\npackages:\n  win@1.0.0:\n    os: [win32]\n  must@1.0.0:\n    os: [win32]\n  here@1.0.0:\n    cpu: [x64]\n    os: [linux]\nsnapshots:\n  win@1.0.0:\n    optional: true\n  must@1.0.0: {}\n  here@1.0.0:\n    optional: true\n",
		"lockfileVersion: '6.0'\npackages:\n  /win@1.0.0:\n    os: [win32]\n    optional: true\n  /must@1.0.0:\n    os: [win32]\n  /here@1.0.0:\n    cpu: [x64]\n    os: [linux]\n    optional: true\n",
	} {
		f, err := Of("pnpm-lock.yaml").Read([]byte(lock), Poms{})
		if err != nil || len(f.Pins) != 3 || len(f.Left) != 0 {
			t.Fatal(f, err)
		}
		for _, p := range f.Pins {
			if got := p.Limits.Excludes("linux", "x64"); got != (p.PURL == "pkg:npm/win@1.0.0") {
				t.Errorf("%s is for other machines: %v", p.PURL, got)
			}
		}
	}
}

// A package that only one for other machines needs is for these too. It is not if another package needs it, one for all machines or for
// others, or if packages need each other in a circle.
func TestLimitsAreInherited(t *testing.T) {
	for name, text := range map[string]string{
		"package-lock.json": `{"lockfileVersion":3,"packages":{"":{"dependencies":{"app":"1"}},"node_modules/app":{"version":"1.0.0","dependencies":{"shared":"1"},"optionalDependencies":{"wasm":"1","win":"1","any":"1"}},
"node_modules/wasm":{"version":"1.0.0","optional":true,"cpu":["wasm32"],"dependencies":{"other-core":"1","shared":"1","two":"1"}},
"node_modules/win":{"version":"1.0.0","optional":true,"os":["win32"],"dependencies":{"two":"1"}},
"node_modules/any":{"version":"1.0.0","optional":true,"dependencies":{"of-any":"1"}},
"node_modules/other-core":{"version":"1.0.0","optional":true,"dependencies":{"shared":"1"},"peerDependencies":{"other-deep":"1"}},
"node_modules/other-deep":{"version":"1.0.0","optional":true},
"node_modules/two":{"version":"1.0.0","optional":true},
"node_modules/of-any":{"version":"1.0.0","optional":true,"dependencies":{"circle":"1"}},
"node_modules/circle":{"version":"1.0.0","optional":true,"dependencies":{"of-any":"1"}},
"node_modules/shared":{"version":"1.0.0"}}}`,
		"pnpm-lock.yaml": `lockfileVersion: '9.0'
importers:
  .:
    dependencies:
      app: {specifier: ^1.0.0, version: 1.0.0}
packages:
  app@1.0.0: {}
  wasm@1.0.0: {cpu: [wasm32]}
  win@1.0.0: {os: [win32]}
  other-core@1.0.0: {}
  other-deep@1.0.0: {}
  two@1.0.0: {}
  shared@1.0.0: {}
snapshots:
  app@1.0.0:
    dependencies: {shared: 1.0.0}
    optionalDependencies: {wasm: 1.0.0, win: 1.0.0}
  wasm@1.0.0:
    optional: true
    dependencies: {other-core: 1.0.0(other-deep@1.0.0), shared: 1.0.0, two: 1.0.0}
  win@1.0.0:
    optional: true
    dependencies: {two: 1.0.0}
  other-core@1.0.0(other-deep@1.0.0):
    optional: true
    dependencies: {shared: 1.0.0, other-deep: 1.0.0}
  other-deep@1.0.0: {optional: true}
  two@1.0.0: {optional: true}
  shared@1.0.0: {}
`,
	} {
		f, err := Of(name).Read([]byte(text), Poms{})
		if err != nil || len(f.Pins) < 7 || len(f.Left) != 0 {
			t.Fatal(name, f, err)
		}
		for _, p := range f.Pins {
			other := strings.Contains(p.PURL, "wasm") || strings.Contains(p.PURL, "win") || strings.Contains(p.PURL, "other-")
			if got := p.Limits.Excludes("linux", "x64"); got != other {
				t.Errorf("%s: %s is for other machines: %v", name, p.PURL, got)
			}
		}
	}
}

// npm lists a package that others only can do with, and what it needs, but does not install them. It does install a peer that is not optional,
// and one that another package needs.
func TestNPMDoesNotInstallOptionalPeers(t *testing.T) {
	f, err := Of("package-lock.json").Read([]byte(`{"lockfileVersion":3,"packages":{"":{"devDependencies":{"app":"1"}},
"node_modules/app":{"version":"1.0.0","dependencies":{"user":"1"},"peerDependencies":{"left-out":"1","peer":"1","wanted":"1"},
 "peerDependenciesMeta":{"left-out":{"optional":true},"wanted":{"optional":true},"peer":{"optional":false}}},
"node_modules/user":{"version":"1.0.0","optionalDependencies":{"wanted":"1"},"peerDependencies":{"odd":"1"},"peerDependenciesMeta":[]},
"node_modules/left-out":{"version":"1.0.0","optional":true,"peer":true,"optionalDependencies":{"left-out-here":"1"}},
"node_modules/left-out-here":{"version":"1.0.0","optional":true,"peer":true,"os":["linux"],"cpu":["x64"]},
"node_modules/wanted":{"version":"1.0.0","optional":true,"peer":true},
"node_modules/odd":{"version":"1.0.0","optional":true,"peer":true},
"node_modules/peer":{"version":"1.0.0","peer":true}}}`), Poms{})
	if err != nil || len(f.Pins) != 7 || len(f.Left) != 0 {
		t.Fatal(f, err)
	}
	for _, p := range f.Pins {
		if got := p.Limits.Excludes("linux", "x64"); got != strings.Contains(p.PURL, "left-out") {
			t.Errorf("%s is not installed: %v", p.PURL, got)
		}
	}
}
