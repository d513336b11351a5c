const escape = text => String(text)
  .replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)
  .replace(/`([^`]+)`/g, '<code>$1</code>')

const paragraphs = (text = '') => text.split('\n\n').map(part => `<p>${escape(part)}</p>`).join('\n')

const table = (caption, headings, rows) => `<div class="wide" tabindex="0" role="region" aria-label="${caption}"><table>
<thead><tr>${headings.map(heading => `<th scope="col">${heading}</th>`).join('')}</tr></thead>
<tbody>${rows.map(([first, ...cells]) =>
  `<tr><th scope="row">${first}</th>${cells.map(cell => `<td>${cell}</td>`).join('')}</tr>`).join('\n')}</tbody>
</table></div>`

const code = value => `<pre>${escape(JSON.stringify(value, null, 2))}</pre>`

function fieldsOf ({ properties, required, if: given, else: otherwise }) {
  const alternatives = [given, otherwise].flatMap(({ required }) => required)
  const needed = name => required.includes(name) ? 'required' : alternatives.includes(name) ? 'one of them is required' : ''
  return table('Fields', ['Field', 'Type', 'Meaning'], Object.entries(properties).map(([name, { type = '', description = '' }]) => [
    `<code>${name}</code>`, type, `${escape(description)}${needed(name) && ` <em>${needed(name)}</em>`}`
  ]))
}

/** Returns rows of status, code, messages and remedy. */
function errorsOf (responses) {
  return Object.entries(responses).filter(([status]) => status !== '200').flatMap(([status, { description, content }]) =>
    [...description.matchAll(/^- `([^`]+)`: (.+)$/gm)].map(([, name, remedy]) => {
      const examples = Object.entries(content?.['application/json']?.examples ?? {})
      const messages = examples.filter(([example]) => example.replace(/-\d+$/, '') === name).map(([, { value }]) => escape(value.error))
      return [status, `<code>${name}</code>`, messages.join('<br>'), escape(remedy)]
    }))
}

/** Returns requests, each with its response, in `<details>` of which the first one is open. */
function examplesOf ({ requestBody, responses }) {
  const requests = requestBody?.content['application/json'].examples ?? {}
  return Object.entries(responses[200].content?.['application/json'].examples ?? {}).map(([name, { value }], index) =>
    `<details${index === 0 ? ' open' : ''}><summary>${escape(name)}</summary>
${requests[name] ? code(requests[name].value) : ''}${code(value)}</details>`).join('\n')
}

function operationHtml ({ path, method, operation, schemas }) {
  const { operationId, summary, description, requestBody, responses } = operation
  const schema = requestBody?.content['application/json'].schema.$ref.split('/').pop()
  return `<details class="card" name="operation" id="${operationId}"${method === 'post' ? ' open' : ''}>
<summary><h2><code>${method.toUpperCase()} ${path}</code> ${escape(summary)}</h2></summary>
${paragraphs(description)}
${schema ? `<h3>Request</h3>\n${fieldsOf(schemas[schema])}` : ''}
<h3>${schema ? 'Requests and their responses' : 'Response'}</h3>
${examplesOf(operation)}
<details class="errors"><summary>Errors</summary>
${table(`Errors of ${path}`, ['Status', 'Error-Code', 'Message', 'What to do'], errorsOf(responses))}
</details>
</details>`
}

/** Returns the page of an OpenAPI document. It needs no script. */
export function referencePage ({ info, paths, components: { schemas } }) {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation, schemas })))
    .sort((one, other) => other.method.localeCompare(one.method))
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self'; img-src data:; form-action 'none'; base-uri 'none'">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>API reference</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="pages.css">
</head>
<body>
  <header>
    <h1>API reference</h1>
    <p>Version ${escape(info.version)}. Variant A: <code>http://localhost:8081</code>, variant B: <code>http://localhost:8082</code></p>
  </header>
  <main class="reading">
<section class="card" aria-labelledby="summary">
<h2 id="summary">Summary</h2>
${table('Operations', ['Operation', 'Purpose', 'Statuses'], operations.map(({ path, method, operation }) => [
  `<a href="#${operation.operationId}"><code>${method.toUpperCase()} ${path}</code></a>`, escape(operation.summary),
  Object.keys(operation.responses).join(', ')
]))}
${paragraphs(info.description)}
</section>
${operations.map(operationHtml).join('\n')}
  </main>
</body>
</html>
`
}
