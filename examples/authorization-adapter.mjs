// Connects AUTHORIZE_URL to an authorization engine: node authorization-adapter.mjs opa|authzen|graphql
// Adapt the URL and the fields. Port 8080 must be reachable from the service only.
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'

const engines = {
  // Open Policy Agent: the rule `allow` of the package `payments`.
  opa: {
    url: 'http://127.0.0.1:8181/v1/data/payments/allow',
    translate: (question, authorization) => ({ input: { ...question, authorization } })
  },
  // A policy decision point of OpenID AuthZEN.
  authzen: {
    url: 'http://127.0.0.1:8181/access/v1/evaluation',
    translate: (question, authorization) => ({
      subject: { type: 'caller', id: question.caller, properties: { authorization } },
      action: { name: question.operationType },
      resource: { type: 'account', id: question.merchantAccountNumber, properties: question }
    })
  },
  // GraphQL. The service reads the alias `allowed` as the decision.
  graphql: {
    url: 'http://127.0.0.1:4000/graphql',
    forwardsAuthorization: true,
    translate: question => ({
      query: 'query ($request: SignatureRequest!) { allowed: maySign(request: $request) }',
      variables: { request: question }
    })
  }
}

/** Returns a server that passes the service's question to an engine and the engine's answer to the service. */
export function adapter (name, url = engines[name].url) {
  const { translate, forwardsAuthorization } = engines[name]
  return createServer(async (request, response) => {
    try {
      const { authorization = '' } = request.headers
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(forwardsAuthorization && { authorization }) },
        body: JSON.stringify(translate(await json(request), authorization))
      })
      const body = await answer.text()
      // An empty 200 would allow the request.
      response.writeHead(answer.ok && body !== '' ? 200 : 500).end(body)
    } catch {
      response.writeHead(502).end()
    }
  })
}

if (process.argv[1] === import.meta.filename) {
  const [,, name = ''] = process.argv
  if (Object.hasOwn(engines, name)) {
    adapter(name).listen(8080, '127.0.0.1', () => process.stdout.write(`listening at http://127.0.0.1:8080 for ${engines[name].url}\n`))
  } else {
    process.stderr.write('usage: node authorization-adapter.mjs opa|authzen|graphql\n')
    process.exitCode = 2
  }
}
