package git

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"sync"

	"github.com/git-provenance/git-provenance/scanner/git/internal/object"
)

// batch reads objects through git cat-file. All readers of a repository share one process, which answers in the order
// of the requests. So each waiting reader has one request under way. A second process returns sizes without content.
type batch struct {
	names    *longNames
	promisor bool
	content  pipeline
	sizes    pipeline
}

func newBatch(p *program, names *longNames, promisor bool) *batch {
	return &batch{names: names, promisor: promisor,
		content: pipeline{git: p, mode: "--batch"}, sizes: pipeline{git: p, mode: "--batch-check"}}
}

func (b *batch) close() {
	b.content.close()
	b.sizes.close()
}

// object returns an object of at most limit bytes, with the names in it cut to 20 bytes.
func (b *batch) object(h Hash, limit int64) (object.Type, []byte, error) {
	through := &b.content
	if limit < 0 {
		through = &b.sizes
	}
	a := through.ask(h, b.names.full(h), limit)
	if errors.Is(a.err, errGone) && b.promisor {
		// git does not report a promised object as missing. It tries to fetch it, is not allowed to, and exits.
		a.err = &MissingObjectError{Object: h}
	}
	if a.err == nil && through == &b.content {
		a.err = b.names.check(h, a.typ, a.data)
	}
	if a.err == nil {
		a.data, a.err = b.names.shorten(h, a.typ, a.data)
	}
	return a.typ, a.data, a.err
}

type request struct {
	hash   Hash
	name   string
	limit  int64
	answer chan answer
}

type answer struct {
	typ  object.Type
	data []byte
	err  error
}

var (
	errGone   = errors.New("git cat-file ended")
	errBehind = errors.New("git cat-file ended over an earlier request")
)

// pipeline is one git cat-file process. It is started when first needed, and again after it ended.
type pipeline struct {
	git  *program
	mode string

	mu      sync.Mutex // guards the fields below; held while a request is written, so that requests and answers match
	process *process
	closed  bool
}

// process is a running git cat-file. The code that takes it off its pipeline closes pending.
type process struct {
	cmd     *exec.Cmd
	stop    context.CancelFunc
	stdin   io.WriteCloser
	stderr  *lastLines
	pending chan *request
}

// maxPending bounds the requests under way. Together they are smaller than any pipe's buffer.
const maxPending = 64

// ask answers a request. It repeats the request if the process ended because of another one.
func (p *pipeline) ask(h Hash, name string, limit int64) answer {
	for {
		r := &request{hash: h, name: name, limit: limit, answer: make(chan answer, 1)}
		if err := p.send(r); err != nil {
			return answer{err: err}
		}
		if a := <-r.answer; !errors.Is(a.err, errBehind) {
			return a
		}
	}
}

func (p *pipeline) send(r *request) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.git.ctx.Err(); err != nil {
		return err
	}
	if p.closed {
		return errors.New("read object: the repository is closed")
	}
	if p.process == nil {
		if err := p.start(); err != nil {
			return fmt.Errorf("run git cat-file: %w", err)
		}
	}
	p.process.pending <- r
	// If this fails the process is gone; the goroutine that reads its answers then gets the error.
	io.WriteString(p.process.stdin, r.name+"\n")
	return nil
}

func (p *pipeline) start() error {
	ctx, stop := context.WithCancel(p.git.ctx)
	proc := &process{cmd: p.git.command(ctx, "cat-file", p.mode), stop: stop, stderr: &lastLines{}, pending: make(chan *request, maxPending)}
	proc.cmd.Stderr = proc.stderr
	var stdout io.ReadCloser
	var err error
	if proc.stdin, err = proc.cmd.StdinPipe(); err == nil {
		if stdout, err = proc.cmd.StdoutPipe(); err == nil {
			err = proc.cmd.Start()
		}
	}
	if err != nil {
		stop()
		return err
	}
	p.process = proc
	// Child processes may hold the pipe open after the process ended. A reader must not wait for them.
	context.AfterFunc(ctx, func() {
		stdout.Close()
		p.drop(proc)
	})
	go p.serve(proc, bufio.NewReaderSize(stdout, 1<<16))
	return nil
}

// serve hands out the answers of a process until it ends or its output makes no sense.
func (p *pipeline) serve(proc *process, from *bufio.Reader) {
	var failed *request
	for r := range proc.pending {
		a, err := r.read(from, p.mode == "--batch")
		if err != nil {
			failed = r
			break
		}
		r.answer <- a
	}
	go func() { // a goroutine that waits to add one holds the lock
		for r := range proc.pending {
			r.answer <- answer{err: errBehind}
		}
	}()
	p.drop(proc)
	proc.stop()
	err := proc.cmd.Wait()
	if failed == nil {
		return
	}
	reason := p.git.ctx.Err()
	if reason == nil {
		reason = fmt.Errorf("read object %s: %w: %w", failed.hash, errGone, newProgramError("cat-file", err, proc.stderr))
	}
	failed.answer <- answer{err: reason}
}

// drop takes a process off the pipeline, so that the next request starts another.
func (p *pipeline) drop(proc *process) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.process == proc {
		p.process = nil
		close(proc.pending)
	}
}

func (p *pipeline) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	if p.process != nil {
		close(p.process.pending)
		p.process = nil
	}
}

// read takes an answer: "NAME TYPE SIZE", then the content and a line end, or "NAME missing". The error concerns the
// stream, not the object.
func (r *request) read(from *bufio.Reader, content bool) (answer, error) {
	head, err := from.ReadSlice('\n')
	if err != nil {
		return answer{}, err
	}
	fields := bytes.Fields(head)
	if len(fields) == 2 && string(fields[1]) == "missing" {
		return answer{err: &MissingObjectError{Object: r.hash}}, nil
	}
	if len(fields) != 3 || !bytes.HasPrefix(fields[0], []byte(r.name)) {
		return answer{}, fmt.Errorf("answer %q", head)
	}
	size, err := strconv.ParseInt(string(fields[2]), 10, 64)
	if err != nil || size < 0 {
		return answer{}, fmt.Errorf("answer %q", head)
	}
	a := answer{typ: object.TypeNamed(string(fields[1])), err: object.TooLarge(r.hash, size, r.limit)}
	if content {
		err = a.body(from, size)
	}
	return a, err
}

// body reads the content, or skips it if it is too large.
func (a *answer) body(from *bufio.Reader, size int64) (err error) {
	if a.err != nil {
		_, err = io.CopyN(io.Discard, from, size)
	} else {
		a.data = make([]byte, 0, min(size, object.TrustedSize))
		b := bytes.NewBuffer(a.data)
		_, err = io.CopyN(b, from, size)
		a.data = b.Bytes()
	}
	if err != nil {
		return err
	}
	_, err = from.Discard(1)
	return err
}
