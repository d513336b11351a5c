// Package signature requests signatures of the payment signature service. It needs Go 1.18 or newer. Copy this file into
// a folder of your module, such as internal/signature.
package signature

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// SignatureError is a request that got no signature.
type SignatureError struct {
	Status     int           // HTTP status; 0 without a complete response
	Code       string        // error code of the service, such as "policy"; empty if another server responded, or none
	Field      string        // field at fault, such as "amount"
	Reason     string        // rule of the policy, or code of your backend, such as "ALREADY_PAID"
	RequestID  string        // ID of the request in the service's log
	RetryAfter time.Duration // time to wait before a retry; 0 if unknown
	text       string
	cause      error
}

func (e *SignatureError) Error() string { return e.text }

// Unwrap returns the fault of the network; nil if a server responded.
func (e *SignatureError) Unwrap() error { return e.cause }

var (
	keyForm     = regexp.MustCompile(`^[!-~]*$`)
	errorBody   = regexp.MustCompile(`(?s)^\s*\{.*"error"\s*:`)
	fieldIn     = regexp.MustCompile(`field=([\w.-]+)`)
	reasonIn    = regexp.MustCompile(`reason=([\w.-]+)`)
	signatureIn = regexp.MustCompile(`"signature"\s*:\s*"([0-9a-f]{64}///[0-9a-f]{64})"`)
)

// find returns the first group of a pattern, or an empty text.
func find(pattern *regexp.Regexp, text string) string {
	if found := pattern.FindStringSubmatch(text); found != nil {
		return found[1]
	}
	return ""
}

func errorOf(status int, header http.Header, text string) *SignatureError {
	errorCode := header.Get("Error-Code")
	seconds, _ := strconv.ParseUint(header.Get("Retry-After"), 10, 30) // a proxy may send a date
	e := &SignatureError{
		Status:     status,
		Code:       strings.Split(errorCode, ";")[0],
		Field:      find(fieldIn, errorCode),
		Reason:     find(reasonIn, errorCode),
		RequestID:  header.Get("X-Request-Id"),
		RetryAfter: time.Duration(seconds) * time.Second,
	}
	source := errorCode
	if status != 0 && errorCode == "" && !errorBody.MatchString(text) {
		source = "probably not the service: a CDN, a firewall, a proxy or the app around it"
	}
	e.text = fmt.Sprintf("%d %s (request %s): %.200s", status, source, e.RequestID, text)
	return e
}

// SignatureClient requests signatures at a URL. It is safe for concurrent use.
type SignatureClient struct {
	url, key string
	client   http.Client
	attempts int
}

// New returns a client of an endpoint. The key is the API key of the policy, or empty. Each attempt has the time-out; 1
// attempt means no retry.
func New(url, key string, timeout time.Duration, attempts int) (*SignatureClient, error) {
	key = strings.TrimSpace(key)
	if !keyForm.MatchString(key) {
		return nil, errors.New("key must be one line of ASCII characters without spaces")
	}
	noRedirects := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse } // fields and key are for one URL
	client := http.Client{Timeout: timeout, CheckRedirect: noRedirects}
	return &SignatureClient{url, key, client, attempts}, nil
}

// String keeps the key out of logs.
func (c SignatureClient) String() string { return "SignatureClient " + c.url }

// Sign returns the signature of the fields, or a *SignatureError. It may wait up to 10 seconds before a retry.
func (c *SignatureClient) Sign(ctx context.Context, fields map[string]any) (string, error) {
	body, err := json.Marshal(fields)
	if err != nil {
		return "", err
	}
	for attempt := 1; ; attempt++ {
		signature, failure := c.post(ctx, body)
		if failure == nil {
			return signature, nil
		}
		wait := time.Duration(attempt) * 200 * time.Millisecond
		if failure.RetryAfter > wait {
			wait = failure.RetryAfter
		}
		isTemporary := false
		switch failure.Status {
		case 0, 408, 502, 503, 504, 520, 521, 522, 523, 524:
			isTemporary = true
		case 429:
			isTemporary = failure.RetryAfter > 0
		}
		if !isTemporary || attempt >= c.attempts || wait > 10*time.Second || ctx.Err() != nil {
			return "", failure
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return "", failure
		}
	}
}

func (c *SignatureClient) post(ctx context.Context, body []byte) (string, *SignatureError) {
	fault := func(cause error) (string, *SignatureError) {
		failure := errorOf(0, nil, cause.Error())
		failure.cause = cause
		return "", failure
	}
	request, err := http.NewRequestWithContext(ctx, "POST", c.url, bytes.NewReader(body))
	if err != nil {
		return fault(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "payment-signature-client") // firewalls refuse Go's own
	if c.key != "" {
		request.Header.Set("Authorization", "Bearer "+c.key)
	}
	response, err := c.client.Do(request)
	if err != nil {
		return fault(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return fault(err)
	}
	if signature := find(signatureIn, string(text)); response.StatusCode == 200 && signature != "" {
		return signature, nil // a log-in page has status 200, too
	}
	return "", errorOf(response.StatusCode, response.Header, string(text))
}
