package render

import (
	"encoding/json"
	"testing"
)

func TestReplaceUnseen(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "",
		"as it is,\n\tµ 日本 😀 \ufffd": "as it is,\n\tµ 日本 😀 \ufffd",
		"\x1b[2J":                    `\u001b[2J`,
		"a\u009b31m\x7f":             `a\u009b31m\u007f`,
		"\u202e\u2066x\u2028":        `\u202e\u2066x\u2028`,
		"\U000e0001tag":              `\udb40\udc01tag`,
	} {
		got := string(replaceUnseen([]byte(text), jsonEscape))
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
		var back string
		if err := json.Unmarshal([]byte(`"`+string(replaceUnseen([]byte(`x\u202e`+"\u202e\U000e0001"), jsonEscape))+`"`), &back); err != nil || back != "x\u202e\u202e\U000e0001" {
			t.Errorf("read again: got %q, %v", back, err)
		}
	}
	if got := string(replaceUnseen([]byte("a\u202eb\x00"), replacement)); got != "a\ufffdb\ufffd" {
		t.Errorf("replaced: got %q", got)
	}
}
