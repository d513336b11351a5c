package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"time"
)

var signatureForm = regexp.MustCompile(`^[0-9a-f]{64}///[0-9a-f]{64}$`)

func sign(fields map[string]any) (string, error) {
	body, err := json.Marshal(fields)
	if err != nil {
		return "", err
	}
	client := http.Client{Timeout: 5 * time.Second}
	for attempt := 1; ; attempt++ {
		wait := time.Duration(attempt) * 200 * time.Millisecond
		isFinal := false
		request, err := http.NewRequest("POST", os.Getenv("SIGNATURE_URL"), bytes.NewReader(body))
		if err != nil {
			return "", err
		}
		request.Header.Set("Content-Type", "application/json")
		if key := os.Getenv("SIGNATURE_KEY"); key != "" {
			request.Header.Set("Authorization", "Bearer "+key)
		}
		response, failure := client.Do(request)
		if failure == nil {
			var text []byte
			text, failure = io.ReadAll(response.Body)
			response.Body.Close()
			if failure == nil {
				status, header := response.StatusCode, response.Header
				var answer struct{ Signature string }
				err := json.Unmarshal(text, &answer)
				if status == 200 && err == nil && signatureForm.MatchString(answer.Signature) { // a log-in page has status 200, too
					return answer.Signature, nil
				}
				failure = fmt.Errorf("status %d, %s, %s: %s", status, header.Get("Error-Code"), header.Get("X-Request-Id"), text)
				if seconds, err := strconv.Atoi(header.Get("Retry-After")); err == nil && seconds > 0 {
					wait = time.Duration(seconds) * time.Second
				}
				switch status {
				case 408, 502, 503, 504:
				case 429:
					isFinal = header.Get("Retry-After") == ""
				default:
					isFinal = true
				}
			}
		}
		if isFinal || attempt == 4 || wait > 10*time.Second {
			return "", failure
		}
		time.Sleep(wait)
	}
}

func main() {
	signature, err := sign(map[string]any{
		"amount":                "100.00",
		"merchantAccountNumber": "102551",
		"orderId":               "ORDER-12345",
		"sid":                   "client-generated-session-id",
		"clientTimeStamp":       1709912345678,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(signature)
}
