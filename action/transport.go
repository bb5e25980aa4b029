package action

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	// maxTries bounds the attempts at one request.
	maxTries = 6
	// firstWait is the least wait that GitHub asks for when it does not say how long a limit lasts. It doubles with
	// each such answer.
	firstWait = time.Minute
	// firstPause is the pause after a fault of the server or the network. It doubles too.
	firstPause = 2 * time.Second
	// maxWaited bounds all waiting of a run: each minute of a runner costs money, and the log already has the findings.
	maxWaited = 15 * time.Minute
	// maxErrorBody bounds how much of a refusal is read for its reason; GitHub's answers are below 1 KB.
	maxErrorBody = 64 << 10
)

// LimitError says that a rate limit lasts longer than the Action waits.
type LimitError struct{ Wait time.Duration }

func (e *LimitError) Error() string {
	return fmt.Sprintf("GitHub's rate limit lasts %s longer, more than this waits", e.Wait.Round(time.Second))
}

// patient waits out rate limits and repeats reading requests after faults of the server. A writing request is repeated
// only if GitHub refused it unread. Otherwise it may have been executed, and its caller checks before it tries again.
type patient struct {
	base   http.RoundTripper
	clock  *Clock
	log    *log
	waited time.Duration
}

func (p *patient) RoundTrip(req *http.Request) (*http.Response, error) {
	unsaid := firstWait // wait if GitHub does not say how long
	for try := 0; ; try++ {
		again, err := repeated(req)
		if err != nil {
			return nil, err
		}
		resp, err := p.base.RoundTrip(again)
		wait, limited, worth := p.judge(req, resp, err, try)
		if limited && wait < 0 {
			wait, unsaid = unsaid, 2*unsaid
		}
		if !worth {
			return quiet(resp), err
		}
		if resp != nil {
			resp.Body.Close()
		}
		if p.waited+wait > maxWaited || limited && try == maxTries-1 {
			return nil, &LimitError{wait}
		}
		p.waited += wait
		p.log.say("GitHub cannot answer %s %s now; trying again in %s", req.Method, req.URL.Path, wait.Round(time.Second))
		if err := p.clock.Sleep(req.Context(), wait); err != nil {
			return nil, err
		}
	}
}

// repeated returns a copy of a request that can be sent again.
func repeated(req *http.Request) (*http.Request, error) {
	c := req.Clone(req.Context())
	if req.GetBody == nil {
		return c, nil
	}
	body, err := req.GetBody()
	c.Body = body
	return c, err
}

// judge decides whether and when to repeat a request.
func (p *patient) judge(req *http.Request, resp *http.Response, err error, try int) (wait time.Duration, limited, worth bool) {
	if err == nil && isLimit(resp) {
		return p.untilAllowed(resp.Header), true, true
	}
	fault := err != nil && !errors.Is(err, context.Canceled) || err == nil && resp.StatusCode >= 500
	return firstPause << try, false, fault && req.Method == http.MethodGet && try < maxTries-1
}

// isLimit reports whether a refusal is a rate limit. Lack of permission also has status 403; secondary limits can have
// 429.
func isLimit(resp *http.Response) bool {
	if resp.StatusCode == http.StatusTooManyRequests {
		return true
	}
	if resp.StatusCode != http.StatusForbidden {
		return false
	}
	if resp.Header.Get("Retry-After") != "" || resp.Header.Get("X-RateLimit-Remaining") == "0" {
		return true
	}
	b, err := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
	resp.Body = struct {
		io.Reader
		io.Closer
	}{bytes.NewReader(b), resp.Body}
	text := strings.ToLower(string(b))
	return err == nil && (strings.Contains(text, "rate limit") || strings.Contains(text, "abuse detection"))
}

// untilAllowed returns how long GitHub asks to wait, below 0 if it does not say.
func (p *patient) untilAllowed(h http.Header) time.Duration {
	if s, err := strconv.Atoi(h.Get("Retry-After")); err == nil && s >= 0 {
		return time.Duration(min(s, 1<<20)) * time.Second
	}
	if t, err := http.ParseTime(h.Get("Retry-After")); err == nil {
		return max(0, t.Sub(p.clock.Now()))
	}
	if s, err := strconv.ParseInt(h.Get("X-RateLimit-Reset"), 10, 64); err == nil && h.Get("X-RateLimit-Remaining") == "0" {
		return max(0, time.Unix(s, 0).Sub(p.clock.Now())) + time.Second // GitHub's clock counts whole seconds
	}
	return -1
}

// quiet removes the headers by which the client would itself refuse later requests, using the wrong clock.
func quiet(resp *http.Response) *http.Response {
	if resp != nil {
		for _, h := range []string{"X-RateLimit-Remaining", "X-RateLimit-Limit", "X-RateLimit-Reset"} {
			resp.Header.Del(h)
		}
	}
	return resp
}
