package model_test

import (
	"testing"

	"github.com/git-provenance/git-provenance/baseline/model"
)

func TestFixed(t *testing.T) {
	for _, text := range []string{
		`"Sunday"`, `"xdigit"`, `'APR'`, `"Not Found"`, "'aliceBlue'", `"#f0f8ff"`, "0xF0F8FF", "59", "0x77073096", "0x77073096UL",
		"0x428a2f98", "0x428a2f98d728ae22", "0x6a09e667f3bcc908", "0xd76aa478", "0xe8c7b756", "0xf26b8303", `"0123456789ABCDEF"`, "3988292384",
		"0xc66363a5", "0xa5c66363", "0xa56363c6", "0x63636363U", "0x51f4a750", "0x50a7f451", "0x537e4165", "0x8000000080008081", "0x800000000000808aUL", // AES, Keccak
		"'stroke-width'", `"viewBox"`, `"additionalProperties"`, "`userSpaceOnUse`", `"aria-label"`, `"http://www.w3.org/2000/svg"`,
		`"MIIFazCCA1OgAwIBAgIRAIIQz7DSQONZRGPgu2OCiwAwDQYJKoZIhvcNAQELBQAw\n"`, "'WhcNMzUwNjA0MTEwNDM4WjBPMQswCQYDVQQGEwJVUzEpMCcGA1UEChMgSW50ZXJu'",
		`'\n'`, `"\\b"`, `"\\\""`, `'\\'`, `"\\\\"`, // escapes
		"`-----BEGIN CERTIFICATE-----\nMIIFazCCA1OgAwIBAgIRAIIQz7DS\n-----END CERTIFICATE-----`",
	} {
		if !model.FixedValue([]byte(text)) {
			t.Errorf("%s is nobody's", text)
		}
	}
	for _, text := range []string{"", "sundae", "walkTree", "4711", "0x12345679", "0xc66363a6", "0x51f4a751", "0x8000000080008082", "0x", `"not found: %s"`, "1e9", `"0 0 10 10"`, `"marker-shape"`, `"n"`, `"\\n\\n"`, `"\\d"`, `"\x1b"`, `'\"`,
		`"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"`, `"WhcNMzUwNjA0MTEwNDM4WjBPMQswCQYDVQQGEwJVUzEpMCcGA1UEChMgSW50"`} {
		if model.FixedValue([]byte(text)) {
			t.Errorf("%s is somebody's", text)
		}
	}
	for text, want := range map[string]bool{"MONDAY": true, "February": true, "dark_slate_gray": true, "found": false, "viewBox": false, "mo": false, "monday2": false,
		"MOVED_PERMANENTLY": true, "movedPermanently": true, "SC_FOUND": true, "StatusGone": true, "HTTP_STATUS_GONE": true, "GONE": false, "statusLine": false, "__COPYRIGHT": true, "__RCSID": true, "sccsid": true, "rcs": false} {
		if got := model.FixedName([]byte(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestReserved(t *testing.T) {
	for text, want := range map[string]bool{`"synchronized"`: true, "'instanceof'": true, "`static_cast`": true, `"Export"`: false, "export": false, `"own"`: false, `""`: false} {
		if got := model.Reserved([]byte(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
