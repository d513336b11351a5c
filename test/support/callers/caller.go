package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"caller/signature"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		parts := strings.Split(lines.Text(), "\t")
		timeout, _ := strconv.Atoi(parts[2])
		attempts, _ := strconv.Atoi(parts[3])
		request := map[string]any{}
		for _, field := range parts[4:] {
			name, value, _ := strings.Cut(field, "=")
			request[name] = value
			if name == "clientTimeStamp" {
				request[name], _ = strconv.ParseInt(value, 10, 64)
			}
		}
		client, err := signature.New(parts[0], parts[1], time.Duration(timeout)*time.Millisecond, attempts)
		if err != nil {
			fmt.Println("argument:", err)
			continue
		}
		signed, err := client.Sign(context.Background(), request)
		var failure *signature.SignatureError
		if errors.As(err, &failure) {
			seconds := ""
			if failure.RetryAfter > 0 {
				seconds = fmt.Sprint(failure.RetryAfter.Seconds())
			}
			fmt.Println(strings.Join([]string{strconv.Itoa(failure.Status), failure.Code, failure.Field, failure.Reason,
				failure.RequestID, seconds, failure.Error()}, "|"))
		} else {
			fmt.Println(signed)
		}
	}
}
