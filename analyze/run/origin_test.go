package run

import (
	"strings"
	"testing"
)

func TestOrigin(t *testing.T) {
	for _, tt := range []struct {
		o    Origin
		want string // of the error; "" none
	}{
		{Origin{}, ""},
		{Origin{"v1.2", "0123456789abcdef0123456789abcdef01234567", "https://example.org/builds/7?x=1&y=2#log"}, ""},
		{Origin{Label: "a\nb"}, "cannot be printed"}, {Origin{Label: "a\x1b[31m"}, "cannot be printed"}, {Origin{Label: "a\u202eb"}, "cannot be printed"},
		{Origin{Label: strings.Repeat("x", 101)}, "more than 100"}, {Origin{Label: " a"}, "with a blank"}, {Origin{Label: "a\xff"}, "cannot be printed"},
		{Origin{Commit: "main"}, "is no commit"}, {Origin{Commit: "12345"}, "is no commit"}, {Origin{Commit: strings.Repeat("a", 65)}, "is no commit"},
		{Origin{Link: "javascript:alert(1)"}, "no address"}, {Origin{Link: "/builds/7"}, "no address"}, {Origin{Link: "https://a b"}, "no address"},
		{Origin{Link: "https://x.org/](https://y.org)"}, "no address"}, {Origin{Link: "https://u:p@x.org/"}, "a user or a password"},
		{Origin{Link: "https://x.org/" + strings.Repeat("y", 500)}, "more than 500"},
	} {
		err := tt.o.Check()
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: got %v want %q", tt.o, err, tt.want)
		}
		if got := tt.o.Trusted(); got.Check() != nil || err == nil && got != tt.o {
			t.Errorf("%+v: trusted is %+v", tt.o, got)
		}
	}
	o := Origin{Label: "v1.2", Commit: "0123456789ABCDEF"}
	for tag, want := range map[string]bool{"v1.2": true, "v1": false, "": false, "0123456": true, "012345": false, "0123456789abcdef": true, "0123457": false} {
		if got := o.Is(tag); got != want {
			t.Errorf("is %q: got %v", tag, got)
		}
	}
	if got := (Origin{Commit: "0123456789abcdef"}).Short(); got != "012345678" {
		t.Errorf("got %q", got)
	}
}
