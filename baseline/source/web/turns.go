package web

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// turns decides when a host may be asked. A pause that a host asks for applies to all requests to it. A host that fails
// again and again is not asked any more.
type turns struct {
	next  http.RoundTripper
	mu    sync.Mutex
	hosts map[string]*turn
}

// turn is the state of one host.
type turn struct {
	until   time.Time // when it may be asked again
	strikes int       // failures in a row
}

// A silent host costs silentTimeout for each request, a busy one a pause that others share.
const (
	silentStrike = 5
	busyStrike   = 1
	mostStrikes  = 16
)

// givenUpError reports that a host is not asked any more.
type givenUpError struct{ host string }

func (e *givenUpError) Error() string {
	return fmt.Sprintf("%s failed several times in a row and is not asked any more: run it again later", e.host)
}

func (t *turns) of(host string) *turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.hosts[host] == nil {
		t.hosts[host] = &turn{}
	}
	return t.hosts[host]
}

func (t *turns) RoundTrip(r *http.Request) (*http.Response, error) {
	host := t.of(r.URL.Host)
	if err := t.wait(r, host); err != nil {
		return nil, err
	}
	resp, err := t.next.RoundTrip(r)
	switch {
	case errors.Is(err, ErrLocal) || r.Context().Err() != nil:
	case err != nil:
		t.note(host, silentStrike, 0)
	case resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode == http.StatusServiceUnavailable:
		t.note(host, busyStrike, retryAfter(resp))
	case resp.StatusCode == http.StatusOK:
		resp.Body = &answer{ReadCloser: resp.Body, end: func(strikes int) { t.note(host, strikes, 0) }}
	case resp.StatusCode < http.StatusInternalServerError:
		t.note(host, 0, 0)
	default:
		t.note(host, busyStrike, 0)
	}
	return resp, err
}

// wait waits until a host may be asked.
func (t *turns) wait(r *http.Request, host *turn) error {
	t.mu.Lock()
	given, pause := host.strikes >= mostStrikes, time.Until(host.until)
	t.mu.Unlock()
	if given {
		return &givenUpError{r.URL.Host}
	}
	if pause <= 0 {
		return nil
	}
	select {
	case <-r.Context().Done():
		return r.Context().Err()
	case <-time.After(pause):
	}
	return nil
}

// note records how a request ended. No strikes means that the host answered.
func (t *turns) note(host *turn, strikes int, pause time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if strikes == 0 {
		host.strikes = 0
		return
	}
	host.strikes += strikes
	if until := time.Now().Add(pause); pause > 0 && until.After(host.until) {
		host.until = until
	}
}

// answer is a body that reports how it ended, once.
type answer struct {
	io.ReadCloser
	end  func(strikes int)
	once sync.Once
}

func (a *answer) Read(p []byte) (int, error) {
	n, err := a.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		a.once.Do(func() { a.end(silentStrike) })
	}
	return n, err
}

func (a *answer) Close() error {
	a.once.Do(func() { a.end(0) })
	return a.ReadCloser.Close()
}

// retryAfter reads when a busy server wants a retry: in seconds, or as a date by its own clock.
func retryAfter(resp *http.Response) time.Duration {
	if resp.StatusCode != http.StatusTooManyRequests && resp.StatusCode != http.StatusServiceUnavailable {
		return 0
	}
	after := resp.Header.Get("Retry-After")
	n, err := strconv.Atoi(after)
	wait := time.Duration(n) * time.Second
	if err != nil {
		then, err1 := http.ParseTime(after)
		now, err2 := http.ParseTime(resp.Header.Get("Date"))
		if err1 != nil || err2 != nil {
			return 0
		}
		wait = then.Sub(now)
	}
	if wait > 0 && wait <= maxWait {
		return wait
	}
	return 0
}
