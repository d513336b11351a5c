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

var fields = []string{"operationType", "amount", "merchantAccountNumber", "accountNumber", "orderId", "sid",
	"clientTimeStamp", "merchantToken", "transactionFCRN", "transactionId", "idType"}

const space = `[\t-\r \x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}]*`

var (
	integer  = regexp.MustCompile(`^(0|-?[1-9][0-9]{0,14})$`)
	number   = regexp.MustCompile(`^` + space + `([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|-Infinity)`)
	blank    = regexp.MustCompile(`^` + space + `$`)
	notASCII = regexp.MustCompile(`[^\x00-\x7F]`)
	uuid     = regexp.MustCompile(`(?i)^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
)

// textsOf returns the texts of all fields. Other values have texts, too, but not those of Go.
func textsOf(request map[string]any) (map[string]string, error) {
	texts := map[string]string{}
	for _, field := range fields {
		value := request[field]
		if count, isNumber := value.(json.Number); field == "clientTimeStamp" && value != nil {
			if !isNumber || !integer.MatchString(count.String()) {
				return nil, errors.New("400 clientTimeStamp must be an integer")
			}
			value = count.String()
		}
		text, isText := value.(string)
		if value != nil && !isText {
			return nil, fmt.Errorf("400 %s must be a string", field)
		}
		if strings.ContainsRune(text, '\uFFFD') { // encoding/json writes it for half a surrogate pair
			return nil, fmt.Errorf("400 %s must be valid Unicode", field)
		}
		texts[field] = text
	}
	if notASCII.MatchString(texts["operationType"] + texts["idType"]) { // ToLower makes i of U+0130
		return nil, errors.New("400 operationType and idType must be ASCII")
	}
	return texts, nil
}

func check(variant string, texts map[string]string) error {
	if found := number.FindStringSubmatch(texts["amount"]); found != nil {
		if amount, _ := strconv.ParseFloat(found[1], 64); amount <= 0 {
			return errors.New("400 Invalid amount: amount must be greater than 0")
		}
	}
	switch {
	case texts["merchantAccountNumber"] == "" && texts["accountNumber"] == "":
		return errors.New("400 merchantAccountNumber or accountNumber is required")
	case texts["sid"] == "":
		return errors.New("400 sid is required (client-generated session ID)")
	case texts["clientTimeStamp"] == "":
		return errors.New("400 clientTimeStamp is required (client-generated timestamp)")
	case variant == "A" && blank.MatchString(texts["sid"]):
		return errors.New("500 sid must be a non-empty string")
	case variant == "B" && !uuid.MatchString(texts["sid"]):
		return errors.New("500 sid must be a valid GUID (UUID v4)")
	}
	return nil
}

func optional(text string) string {
	if text == "null" || text == "undefined" {
		return ""
	}
	return text
}

func hash256(text string) string {
	digest := sha256.Sum256([]byte(text))
	return hex.EncodeToString(digest[:])
}

func sign(variant, token string, request map[string]any) (string, error) {
	texts, err := textsOf(request)
	if err == nil {
		err = check(variant, texts)
	}
	if err != nil {
		return "", err
	}
	amount, reference, order := optional(texts["amount"]), "", optional(texts["orderId"])
	if variant == "B" {
		amount, reference, order = texts["amount"], texts["orderId"], ""
		if amount == "undefined" {
			amount = ""
		}
	} else {
		operation := strings.ToLower(optional(texts["operationType"]))
		switch operation {
		case "refund", "void":
			reference = optional(texts["transactionFCRN"])
		case "inquiry":
			reference, order = optional(texts["transactionId"]), ""
			if strings.ToUpper(optional(texts["idType"])) == "ORDER_ID" {
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
	account := texts["merchantAccountNumber"]
	if account == "" {
		account = texts["accountNumber"]
	}
	if texts["merchantToken"] != "" {
		token = texts["merchantToken"]
	}
	time := texts["clientTimeStamp"]
	return hash256(time+texts["sid"]+amount+reference) + "///" +
		hash256(time+order+token+account+amount+reference), nil
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
func answer(variant, token string, request map[string]any) {
	signature, err := sign(variant, token, request)
	if err != nil {
		signature = err.Error()
	}
	fmt.Println(signature)
}

func main() {
	if len(os.Args) == 1 {
		answer(os.Getenv("VARIANT"), os.Getenv("MERCHANT_TOKEN"), read(os.Stdin))
		return
	}
	lines := json.NewDecoder(os.Stdin) // --batch
	for lines.More() {
		var message struct {
			Variant, Token string
			Request        json.RawMessage
		}
		if err := lines.Decode(&message); err != nil {
			panic(err)
		}
		answer(message.Variant, message.Token, read(strings.NewReader(string(message.Request))))
	}
}
