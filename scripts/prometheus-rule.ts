import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// Writes the alert rules as a PrometheusRule of the Prometheus Operator: Kustomize cannot include one file in another.

const deploy = join(import.meta.dirname, '../../deploy')
const rules = readFileSync(join(deploy, 'prometheus/alerts.yaml'), 'utf8')
const [target = join(deploy, 'kubernetes/components/monitoring/prometheus-rule.yaml')] = process.argv.slice(2)

writeFileSync(target, `# Made from deploy/prometheus/alerts.yaml by npm run prometheus-rule.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: payment-signature
spec:
${rules.replace(/^(?=.)/gm, '  ')}`)
