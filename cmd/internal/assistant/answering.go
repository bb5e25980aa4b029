package assistant

import (
	"context"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// answering is a transport that reports the end of its input only when every request has its answer. The SDK drops open requests at
// the end of the input. But a script writes its requests, closes the stream, and then reads the answers.
type answering struct{ mcp.Transport }

func (t answering) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &openRequests{Connection: c, open: map[jsonrpc.ID]bool{}, closed: make(chan struct{})}, nil
}

// openRequests is a connection that knows which requests have no answer yet.
type openRequests struct {
	mcp.Connection
	mu     sync.Mutex
	open   map[jsonrpc.ID]bool
	idle   chan struct{} // closed when no request is open; nil until the input has ended
	once   sync.Once
	closed chan struct{}
}

func (c *openRequests) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if err != nil {
		c.wait(ctx)
		return nil, err
	}
	if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() {
		c.mu.Lock()
		c.open[r.ID] = true
		c.mu.Unlock()
	}
	return m, nil
}

// wait returns when no request is open, or nobody waits for an answer.
func (c *openRequests) wait(ctx context.Context) {
	c.mu.Lock()
	idle := make(chan struct{})
	if c.idle = idle; len(c.open) == 0 {
		close(idle)
		c.idle = nil
	}
	c.mu.Unlock()
	select {
	case <-idle:
	case <-ctx.Done():
	case <-c.closed:
	}
}

func (c *openRequests) Write(ctx context.Context, m jsonrpc.Message) error {
	err := c.Connection.Write(ctx, m)
	if r, ok := m.(*jsonrpc.Response); ok {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.open, r.ID)
		if len(c.open) == 0 && c.idle != nil {
			close(c.idle)
			c.idle = nil
		}
	}
	return err
}

func (c *openRequests) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Connection.Close()
}
