// Connects AUTHORIZE_URL to an authorization engine: node authorization-adapter.mjs opa|authzen|graphql
// Adapt the URL and the fields. Port 8080 must be reachable from the service only.
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'

const engines = {
  // Open Policy Agent: the rule `allow` of the package `payments`.
  opa: {
    url: 'http://127.0.0.1:8181/v1/data/payments/allow',
    translate: (question, authorization) => ({ input: { ...question, authorization } }),
    decisionIn: ({ result }) => result
  },
  // A policy decision point of OpenID AuthZEN.
  authzen: {
    url: 'http://127.0.0.1:8181/access/v1/evaluation',
    translate: (question, authorization) => ({
      subject: { type: 'caller', id: question.caller, properties: { authorization } },
      action: { name: question.operationType },
      resource: { type: 'account', id: question.merchantAccountNumber, properties: question }
    }),
    decisionIn: ({ decision }) => decision
  },
  // GraphQL: the field `maySign` is a Boolean. With an error, its value does not count.
  graphql: {
    url: 'http://127.0.0.1:4000/graphql',
    forwardsAuthorization: true,
    translate: question => ({
      query: 'query ($request: SignatureRequest!) { maySign(request: $request) }',
      variables: { request: question }
    }),
    decisionIn: ({ data, errors }) => errors === undefined ? data?.maySign : undefined
  }
}

/** Returns a server that asks an engine, and passes its true or false on; 500 without a decision. */
export function adapter (name, url = engines[name].url) {
  const { translate, decisionIn, forwardsAuthorization } = engines[name]

  async function ask (request) {
    const { authorization = '' } = request.headers
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(forwardsAuthorization && { authorization }) },
      body: JSON.stringify(translate(await json(request), authorization)),
      redirect: 'error',
      signal: AbortSignal.timeout(10_000) // longer than AUTHORIZE_TIMEOUT, so that the service counts the time-outs
    })
    const text = await answer.text()
    return answer.status === 200 ? decisionIn(JSON.parse(text)) : undefined
  }

  return createServer(async (request, response) => {
    const decision = await ask(request).catch(() => undefined)
    if (typeof decision === 'boolean') response.end(JSON.stringify({ allowed: decision }))
    else response.writeHead(500).end()
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
