import { readFileSync } from 'node:fs'

// Prints the alert rules as a PrometheusRule of the Prometheus Operator: Kustomize cannot include one file in another.

const rules = readFileSync('deploy/prometheus/alerts.yaml', 'utf8')
process.stdout.write(`apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: payment-signature
  namespace: payment-signature
spec:
${rules.replace(/^(?=.)/gm, '  ')}`)
