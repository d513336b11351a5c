package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
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

func sign(variant, token string, request map[string]any) string {
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
		hash256(time+order+token+text(account)+amount+reference)
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
	fmt.Println(sign(os.Getenv("VARIANT"), os.Getenv("MERCHANT_TOKEN"), read(os.Stdin)))
}
