package model

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var updateAPI = flag.String("update-api", "", "write the platforms of which this directory has lists of names into api.bin")

func newFilter(hashes []uint32) filter {
	f := make(filter, (filterBits*len(hashes)+7)/8)
	for _, h := range hashes {
		f.probe(h, func(b *byte, bit byte) bool { *b |= bit; return true })
	}
	return f
}

func marshalAPI(filters map[string]filter) []byte {
	b := binary.AppendUvarint([]byte(apiMagic), uint64(len(filters)))
	var order []string
	for p := range filters {
		order = append(order, p)
	}
	slices.Sort(order)
	for _, p := range order {
		b = append(binary.AppendUvarint(b, uint64(len(p))), p...)
		b = append(binary.AppendUvarint(b, uint64(len(filters[p]))), filters[p]...)
	}
	return seal(b)
}

// listed reads lists of names: PLATFORM.txt, one name per line.
func listed(t *testing.T, dir string) map[string]filter {
	out := make(map[string]filter)
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no lists in %s: %v", dir, err)
	}
	for _, p := range files {
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		var hs []uint32
		for l := range bytes.Lines(data) {
			hs = append(hs, NameHash(bytes.TrimSuffix(l, []byte("\n"))))
		}
		out[strings.TrimSuffix(filepath.Base(p), ".txt")] = newFilter(hs)
	}
	return out
}

func TestAPI(t *testing.T) {
	if *updateAPI != "" {
		filters, err := filtersOf(api[len(apiMagic) : len(api)-4])
		if err != nil {
			t.Fatal(err)
		}
		maps.Copy(filters, listed(t, *updateAPI))
		if err := os.WriteFile("api.bin", marshalAPI(filters), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for family, want := range map[string]string{
		"android": "preVisitDirectory setSupportActionBar savedInstanceState",
		"c":       "nlmsg_type PQresultStatus EVP_DigestInit_ex __clock_id pthread_mutex_getprioceiling unordered_map CreateFileA SubstituteNameOffset gtk_widget_show_all QModelIndex XtInheritRealize XmNlabelString lua_setfield vkCmdBindPipeline D3D12_HEAP_PROPERTIES",
		"csharp":  "StringBuilder SelectMany ReadAllText",
		"go":      "ListenAndServe RoundTripper httptest",
		"java":    "preVisitDirectory FileVisitResult CONTINUE BasicFileAttributes assertEquals createDocumentFragment startPrefixMapping",
		"js":      "getElementById ReadableStream createReadStream useEffect Omit",
		"kotlin":  "preVisitDirectory mapNotNull systemProperties onCreateViewHolder supportActionBar defStyleAttr",
		"lua":     "setmetatable collectgarbage",
		"php":     "array_key_exists RecursiveIteratorIterator",
		"python":  "ThreadPoolExecutor ensure_ascii setdefault monkeypatch",
		"ruby":    "each_with_index define_method",
		"rust":    "unwrap_or_else HashMap",
		"scala":   "preVisitDirectory foldLeft",
		"swift":   "urlSession didReceive numberOfRowsInSection URLRequest foregroundStyle setUpWithError",
	} {
		c := Frequencies{API().Of(family)}
		for _, n := range strings.Fields(want) {
			if !c.Platform(NameHash([]byte(n))) {
				t.Errorf("%s: %s is nobody's", family, n)
			}
		}
		known := 0
		for i := range 10_000 {
			if c.Platform(NameHash(fmt.Appendf(nil, "ownName%d", i))) {
				known++
			}
		}
		if known > 200 { // C has five platforms, each of which lets one in three hundred pass; 200 is three deviations above 167
			t.Errorf("%s: %d of 10,000 names of nobody are known", family, known)
		}
	}
	if got := (Frequencies{API().Of("go")}).NGram(make([]uint32, LongNGram)); !math.IsInf(got, 1) {
		t.Errorf("an n-gram costs %v bits, platforms have names only", got)
	}
}

// TestNamesOfAndroid: in Java they count in texts that import Android or AndroidX.
func TestNamesOfAndroid(t *testing.T) {
	for text, want := range map[string]bool{
		"package a;\nimport android.os.Bundle;\n": true, "package a;\nimport androidx.fragment.app.Fragment;\n": true,
		"package a;\nimport java.util.List;\n": false, "package a;\n// not: import android.os.Bundle;\n": false,
	} {
		for _, name := range []string{"savedInstanceState", "onCreateViewHolder"} {
			if got := (Frequencies{PlatformsOf("java", "java", []byte(text))}).Platform(NameHash([]byte(name))); got != want {
				t.Errorf("%q: %s of a platform: %v", text, name, got)
			}
		}
	}
}

// TestNamesOfApple: those of frameworks do not count in Swift that imports nothing beyond Foundation.
func TestNamesOfApple(t *testing.T) {
	for text, want := range map[string]bool{
		"import UIKit\n": true,
		"import Foundation\n@testable import Alamofire\n":                 true, // which may export UIKit
		"#if canImport(AppKit)\n  import class AppKit.NSView\n#endif\n":   true,
		"import Foundation\n@testable import XCTest\n":                    false,
		"public import UIKit\n":                                           true,
		"import\tUIKit\n":                                                 true,
		"/* the views */ @_exported import struct SwiftUI.Text; f()\n":    true,
		"// import UIKit\nlet important = 1\n":                            false,
		"import class Foundation.URLSession\nlet a = 1 // import UIKit\n": false,
		"// import UIKit\nstruct A {}\n":                                  false,
		"import ":                                                         false,
	} {
		c := Frequencies{PlatformsOf("swift", "swift", []byte(text))}
		for _, name := range []string{"numberOfRowsInSection", "foregroundStyle"} {
			if got := c.Platform(NameHash([]byte(name))); got != want {
				t.Errorf("%q: %s of a platform: %v", text, name, got)
			}
		}
		for _, name := range []string{"URLRequest", "setUpWithError"} {
			if !c.Platform(NameHash([]byte(name))) {
				t.Errorf("%q: %s is nobody's", text, name)
			}
		}
	}
}

// Every platform belongs to a family, and every family's platforms exist.
func TestPlatforms(t *testing.T) {
	used := make(map[string]bool)
	for family, ps := range platforms {
		for i, p := range ps {
			used[p] = true
			if len(API().Of(family).api[i]) == 0 {
				t.Errorf("%s: nothing known of %s", family, p)
			}
		}
	}
	r := reader{b: api[len(apiMagic):]}
	for n := r.number(); n > 0; n-- {
		if p := string(r.take(r.number())); !used[p] {
			t.Errorf("nobody asks for %s", p)
		}
		r.take(r.number())
	}
}

// unmarshalAPI reads the names like API, and checks their checksum.
func unmarshalAPI(b []byte) (*Model, error) {
	body, err := opened(b, apiMagic, "names")
	if err != nil {
		return nil, err
	}
	return platformsOf(body)
}

// The built-in files are read without checking their checksums; this test checks them.
func TestBuiltIn(t *testing.T) {
	if _, err := unmarshalAPI(api); err != nil {
		t.Error(err)
	}
	for _, b := range prior() {
		m, err := Unmarshal(b)
		if err == nil {
			err = m.Check()
		}
		if err != nil {
			t.Error(err)
		}
	}
}

// A filter has the names put in, and no frequencies.
func TestFilter(t *testing.T) {
	var hs []uint32
	for i := range 5000 {
		hs = append(hs, NameHash(fmt.Appendf(nil, "name%d", i)))
	}
	for _, n := range []int{0, 1, 7, 5000} {
		f, pass := newFilter(hs[:n]), 0
		for i, h := range hs {
			if has := f.has(h); i < n && !has {
				t.Fatalf("%d names: number %d is not found", n, i)
			} else if i >= n && has {
				pass++
			}
		}
		if pass > 5000/20 {
			t.Errorf("%d names: %d others pass", n, pass)
		}
	}
	common := &Family{Units: 100, tables: [3]table{names: pack([]entry{{hs[1], level(90)}})}}
	common.price()
	c := Frequencies{common, {api: []filter{newFilter(hs[:3])}}}
	for i, want := range []bool{true, true, true, false} {
		if bits := c.NameOf(hs[i]); i == 1 && math.Abs(bits-math.Log2(100./90)) > 0.1 || i != 1 && !math.IsInf(bits, 1) {
			t.Errorf("name %d costs %v bits", i, bits)
		}
		if got := c.Platform(hs[i]); got != want {
			t.Errorf("name %d is a platform's: %v", i, got)
		}
	}
}

func TestUnmarshalAPIRefuses(t *testing.T) {
	good := marshalAPI(map[string]filter{"a": {1, 2}, "b": {}})
	if _, err := unmarshalAPI(good); err != nil {
		t.Fatal(err)
	}
	for i := range good {
		bad := bytes.Clone(good)
		bad[i] ^= 1 << (i % 8)
		if _, err := unmarshalAPI(bad); !errors.Is(err, errCorrupt) {
			t.Errorf("byte %d changed: %v", i, err)
		}
		if _, err := unmarshalAPI(good[:i]); !errors.Is(err, errCorrupt) {
			t.Errorf("%d bytes: %v", i, err)
		}
	}
	for _, body := range []string{"\x01", "\x02\x01a\x00", "\x00\x00", "\x01\x01a\xFF\xFF\x03"} {
		if _, err := unmarshalAPI(seal([]byte(apiMagic + body))); !errors.Is(err, errCorrupt) {
			t.Errorf("%q: %v", body, err)
		}
	}
}
