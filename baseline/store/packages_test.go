package store

import (
	"encoding/json"
	"reflect"
	"testing"
)

// The list is split as a JSON decoder would split it, whatever its strings contain.
func TestElements(t *testing.T) {
	list := []map[string]any{{"purl": `a"b\`, "from": `C:\x\"`, "files": 1.0}, {}, {"statements": []any{map[string]any{"path": "]}{["}, []any{}}}, {"purl": "\\\\"}}
	text, err := json.Marshal(map[string]any{"packages": list})
	if err != nil {
		t.Fatal(err)
	}
	parts, ok := elements(text[len(`{"packages":`):])
	if !ok || len(parts) != len(list) {
		t.Fatalf("%d parts (%t), want %d: %q", len(parts), ok, len(list), parts)
	}
	for i, part := range parts {
		var got map[string]any
		if err := json.Unmarshal(part, &got); err != nil || !reflect.DeepEqual(got, list[i]) {
			t.Errorf("part %d is %s (%v), want %v", i, part, err, list[i])
		}
	}
	for text, want := range map[string]bool{" [ ] }": true, "null}": true, "[{}": false, `[{"a`: false, `[{"a\`: false, "": false, "}": false, "7": false} {
		if parts, ok := elements([]byte(text)); ok != want || len(parts) > 0 && want {
			t.Errorf("%q: %q, %t", text, parts, ok)
		}
	}
}
