import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'

const { SERVICE, CLIENT_ID, CLIENT_SECRET, API_KEY } = process.env
const redirect = 'http://localhost:3000/callback'
const begun = new Map() // Code verifiers by state. A real program stores them in the visitor's session.

createServer(async (request, response) => {
  const url = new URL(request.url, redirect)
  if (url.pathname !== '/callback') {
    const [state, verifier] = [randomBytes(16), randomBytes(32)].map((bytes) => bytes.toString('base64url'))
    begun.set(state, verifier)
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: CLIENT_ID,
      redirect_uri: redirect,
      scope: 'user wallet',
      state,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    })
    return response.writeHead(302, { location: `${SERVICE}/v1/oauth2/authorize?${query}` }).end()
  }
  const { code, state, iss, error } = Object.fromEntries(url.searchParams)
  const verifier = begun.get(state)
  begun.delete(state)
  if (error || !verifier || iss !== SERVICE) return response.end(`Not logged in: ${error ?? 'start again'}`)
  const tokens = await fetch(`${SERVICE}/v1/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
      redirect_uri: redirect,
      code,
      code_verifier: verifier,
    }),
  }).then((answer) => answer.json())
  if (tokens.error) return response.end(`Not logged in: ${tokens.error_description}`)
  const headers = { apikey: API_KEY, usertoken: tokens.access_token }
  const { data: user } = await fetch(`${SERVICE}/v1/oauth2/user`, { headers }).then((answer) => answer.json())
  const { data: wallet } = await fetch(`${SERVICE}/v1/oauth2/wallet`, { headers }).then((answer) => answer.json())
  response.end(`Hello ${user.gamertag}, you have ${wallet.balance} msats.`)
}).listen(3000, () => console.log('Open http://localhost:3000'))
