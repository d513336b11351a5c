// The service on Go's net/http, for requests whose fields have the JSON types of the specification.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
)

type signatureRequest struct {
	OperationType         string      `json:"operationType"`
	Amount                string      `json:"amount"`
	MerchantAccountNumber string      `json:"merchantAccountNumber"`
	AccountNumber         string      `json:"accountNumber"`
	OrderID               string      `json:"orderId"`
	Sid                   string      `json:"sid"`
	ClientTimeStamp       json.Number `json:"clientTimeStamp"`
	MerchantToken         string      `json:"merchantToken"`
	TransactionFCRN       string      `json:"transactionFCRN"`
	TransactionID         string      `json:"transactionId"`
	IDType                string      `json:"idType"`
}

func faultIn(request *signatureRequest) string {
	amount, err := strconv.ParseFloat(request.Amount, 64)
	switch {
	case err == nil && amount <= 0:
		return "Invalid amount: amount must be greater than 0"
	case request.MerchantAccountNumber == "" && request.AccountNumber == "":
		return "merchantAccountNumber or accountNumber is required"
	case request.Sid == "":
		return "sid is required (client-generated session ID)"
	case request.ClientTimeStamp == "":
		return "clientTimeStamp is required (client-generated timestamp)"
	}
	return ""
}

func hash256(text string) string {
	digest := sha256.Sum256([]byte(text))
	return hex.EncodeToString(digest[:])
}

func sign(request *signatureRequest, token string) string {
	amount, referenceNumber, orderID := request.Amount, "", request.OrderID
	switch strings.ToLower(request.OperationType) {
	case "refund":
		referenceNumber = request.TransactionFCRN
	case "void":
		amount, referenceNumber = "", request.TransactionFCRN
	case "inquiry":
		amount, referenceNumber, orderID = "", request.TransactionID, ""
		if strings.ToUpper(request.IDType) == "ORDER_ID" {
			orderID = request.TransactionID
		}
	}
	if orderID == "" {
		orderID = "null"
	}
	if request.MerchantToken != "" {
		token = request.MerchantToken
	}
	account := request.MerchantAccountNumber
	if account == "" {
		account = request.AccountNumber
	}
	timeStamp := request.ClientTimeStamp.String()
	return hash256(timeStamp+request.Sid+amount+referenceNumber) + "///" +
		hash256(timeStamp+orderID+token+account+amount+referenceNumber)
}

func answer(response http.ResponseWriter, status int, body map[string]string) {
	text, _ := json.Marshal(body)
	response.Header().Set("Content-Type", "application/json")
	response.WriteHeader(status)
	response.Write(text)
}

func main() {
	token := os.Getenv("MERCHANT_TOKEN")
	http.HandleFunc("/api/generate-signature", func(response http.ResponseWriter, request *http.Request) {
		response.Header().Set("Access-Control-Allow-Origin", "*")
		var body signatureRequest
		if err := json.NewDecoder(request.Body).Decode(&body); err != nil {
			answer(response, 400, map[string]string{"error": err.Error()})
			return
		}
		if fault := faultIn(&body); fault != "" {
			answer(response, 400, map[string]string{"error": fault})
			return
		}
		if strings.TrimSpace(body.Sid) == "" {
			answer(response, 500, map[string]string{"error": "sid must be a non-empty string"})
			return
		}
		answer(response, 200, map[string]string{"signature": sign(&body, token)})
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
