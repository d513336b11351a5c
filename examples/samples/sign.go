package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
)

func text(value any) string {
	if value == nil {
		return ""
	}
	return fmt.Sprint(value)
}

func optional(request map[string]any, field string) string {
	text := text(request[field])
	if text == "null" || text == "undefined" {
		return ""
	}
	return text
}

func given(value any) bool {
	return value != nil && value != "" && value != false && value != json.Number("0")
}

func hash256(text string) string {
	digest := sha256.Sum256([]byte(text))
	return hex.EncodeToString(digest[:])
}

var (
	number = regexp.MustCompile(`^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)`)
	uuid   = regexp.MustCompile(`(?i)^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
)

func check(variant string, request map[string]any) error {
	if found := number.FindStringSubmatch(text(request["amount"])); found != nil {
		if amount, _ := strconv.ParseFloat(found[1], 64); amount <= 0 {
			return errors.New("400 Invalid amount: amount must be greater than 0")
		}
	}
	sid, isText := request["sid"].(string)
	switch {
	case !given(request["merchantAccountNumber"]) && !given(request["accountNumber"]):
		return errors.New("400 merchantAccountNumber or accountNumber is required")
	case request["sid"] == nil || request["sid"] == "":
		return errors.New("400 sid is required (client-generated session ID)")
	case request["clientTimeStamp"] == nil:
		return errors.New("400 clientTimeStamp is required (client-generated timestamp)")
	case variant == "A" && (!isText || strings.TrimSpace(sid) == ""):
		return errors.New("500 sid must be a non-empty string")
	case variant == "B" && !uuid.MatchString(sid):
		return errors.New("500 sid must be a valid GUID (UUID v4)")
	}
	return nil
}

func sign(variant, token string, request map[string]any) (string, error) {
	if err := check(variant, request); err != nil {
		return "", err
	}
	amount, reference, order := optional(request, "amount"), "", optional(request, "orderId")
	if variant == "B" {
		amount, reference, order = text(request["amount"]), text(request["orderId"]), ""
		if amount == "undefined" {
			amount = ""
		}
	} else {
		operation := strings.ToLower(optional(request, "operationType"))
		switch operation {
		case "refund", "void":
			reference = optional(request, "transactionFCRN")
		case "inquiry":
			reference, order = optional(request, "transactionId"), ""
			if strings.ToUpper(optional(request, "idType")) == "ORDER_ID" {
				order = reference
			}
		}
		if operation == "void" || operation == "inquiry" {
			amount = ""
		}
		if order == "" {
			order = "null"
		}
	}
	account := request["merchantAccountNumber"]
	if !given(account) {
		account = request["accountNumber"]
	}
	if given(request["merchantToken"]) {
		token = text(request["merchantToken"])
	}
	time := text(request["clientTimeStamp"])
	return hash256(time+text(request["sid"])+amount+reference) + "///" +
		hash256(time+order+token+text(account)+amount+reference), nil
}

func read(reader io.Reader) map[string]any {
	decoder := json.NewDecoder(reader)
	decoder.UseNumber() // a float would change the digits
	var request map[string]any
	if err := decoder.Decode(&request); err != nil {
		panic(err)
	}
	return request
}

// The conformance protocol
func main() {
	signature, err := sign(os.Getenv("VARIANT"), os.Getenv("MERCHANT_TOKEN"), read(os.Stdin))
	if err != nil {
		signature = err.Error()
	}
	fmt.Println(signature)
}
