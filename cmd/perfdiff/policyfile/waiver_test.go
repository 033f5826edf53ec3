package policyfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// read reads a policy on a day.
func read(t *testing.T, day, text string, strict bool) (Settings, error) {
	t.Helper()
	now, err := time.Parse(time.RFC3339, day)
	if err != nil {
		t.Fatal(err)
	}
	defer func(was func() time.Time) { Now = was }(Now)
	Now = func() time.Time { return now }
	path := filepath.Join(t.TempDir(), Name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	s := Default()
	s.Load.Strict = strict
	return s, s.Read(path)
}

const waived = "gating: [step_time]\n" +
	"waivers: [{metric: step_time, up_to: 7%, reason: upgrade, owner: me, expires: 2026-06-15}]\n"

// TestWaiverDays: a waiver holds through its last day, in any zone's clock read as UTC, and not
// a second longer; it is spoken of in its last two weeks and from then on.
func TestWaiverDays(t *testing.T) {
	for _, c := range []struct {
		day   string
		holds bool
		says  string // "": nothing
	}{
		{"2020-01-01T00:00:00Z", true, ""}, {"2026-06-01T23:59:59Z", true, ""},
		{"2026-06-02T00:00:00Z", true, "ends after 2026-06-15"}, {"2026-06-15T23:59:59Z", true, "ends after 2026-06-15"},
		{"2026-06-15T23:59:59-02:00", false, "expired on 2026-06-15"},
		{"2026-06-16T01:00:00+02:00", true, "ends after 2026-06-15"},
		{"2026-06-16T00:00:00Z", false, "expired on 2026-06-15"}, {"2027-01-01T00:00:00Z", false, "it is not applied"},
	} {
		s, err := read(t, c.day, waived, false)
		if err != nil || len(s.Policy.Waivers) == 1 != c.holds {
			t.Errorf("%s: got waivers %v, %v, want it to hold: %v", c.day, s.Policy.Waivers, err, c.holds)
		}
		if said := strings.Join(s.Dated, " "); (said == "") != (c.says == "") || !strings.Contains(said, c.says) {
			t.Errorf("%s: got %q want %q", c.day, said, c.says)
		}
		if _, err := read(t, c.day, waived, true); (err == nil) != c.holds {
			t.Errorf("%s, strict: got %v, want an error: %v", c.day, err, !c.holds)
		}
	}
}

// TestWaiversRefused: a waiver says what it lets through, why, until when, and who answers for it.
func TestWaiversRefused(t *testing.T) {
	const all = "needs metric, up_to, reason, owner and expires"
	for _, c := range []struct{ from, to, want string }{
		{"reason: upgrade, ", "", all}, {"owner: me, ", "", all}, {", expires: 2026-06-15", "", all}, {"up_to: 7%, ", "", "needs up_to"},
		{"7%", "0", "up to 0: write more"}, {"7%", "100%", "it must be below 100%"},
		{"2026-06-15", "15.6.2026", "write a day as in 2026-12-31"}, {"metric: step_time", "metric: speed", "speed"},
		{"metric: step_time, up_to: 7%", "metric: tail, up_to: 7%", "counts events in 100 steps"},
	} {
		text := strings.Replace(waived, c.from, c.to, 1)
		if _, err := read(t, "2026-01-01T00:00:00Z", text, false); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: got %v, want %q", c.to, c.from, err, c.want)
		}
	}
	again := "}, {metric: step_time, up_to: 9%, reason: upgrade, owner: me, expires: 2026-07-15}]"
	twice := strings.Replace(waived, "}]", again, 1)
	if _, err := read(t, "2026-01-01T00:00:00Z", twice, false); err == nil || !strings.Contains(err.Error(), "waived twice") {
		t.Errorf("twice: got %v", err)
	}
}
