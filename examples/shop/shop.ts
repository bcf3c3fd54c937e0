import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
// In your own project, import this from 'satchel-payments'.
import { PaymentsClient, PaymentsError, type payments, verifyWebhook } from '../../clients/typescript/src/index.ts'

/**
 * A shop that sells one thing. Each order is a charge. When a callback has a valid signature, the shop reads the charge
 * and, if it is paid, marks the order as paid.
 */
const { SATCHEL_URL = 'http://127.0.0.1:8787', SATCHEL_KEY = '', CALLBACK_SECRET = '', PORT = '4000' } = process.env
const PRICE = { amount: 21_000n, description: 'One sticker' }

const satchel = new PaymentsClient({ baseUrl: SATCHEL_URL, apiKey: SATCHEL_KEY })
/**
 * The charges by order number. A real shop stores its orders in a database, each before it requests the charge.
 */
const orders = new Map<string, payments.ProjectCharge>()
const server = createServer((request, response) => void answer(request, response))
server.listen(Number(PORT), '127.0.0.1', () => console.log(`The shop is open: ${address()}`))

function address(): string {
  const bound = server.address()
  return `http://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : PORT}`
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const { method, url = '/' } = request
    if (method === 'POST' && url === '/orders') return await order(response)
    if (method === 'POST' && url === '/callback') return await hear(request, response)
    const charge = orders.get(url.replace(/^\/orders\//, ''))
    if (charge !== undefined) return page(response, pageOfOrder(charge))
    return page(response, `<form method="post" action="/orders"><button>${PRICE.description}: 21 sats</button></form>`)
  } catch (error) {
    const words = error instanceof PaymentsError ? error.message : 'Something went wrong.'
    page(response, `<p>${escaped(words)}</p>`, 500)
  }
}

/** Creates an order and its charge. The order's number is the key, so a repeated request returns the same charge. */
async function order(response: ServerResponse): Promise<void> {
  const number = crypto.randomUUID()
  const terms = { ...PRICE, internalId: number, callbackUrl: `${address()}/callback` }
  const { data } = await satchel.createCharge(terms, { idempotencyKey: number })
  orders.set(number, data)
  response.writeHead(303, { location: `/orders/${number}` }).end()
}

/** Receives a callback. Refuses it if its signature is wrong, and otherwise reads the charge. */
async function hear(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = ''
  // A chunk may end in the middle of a character.
  for await (const piece of request.setEncoding('utf8')) body += piece
  const told = verifyWebhook<{ id: string }>({ headers: request.headers, body, secret: CALLBACK_SECRET })
  if (told === undefined) return void response.writeHead(401).end()
  const { data } = await satchel.getCharge({ id: told.body.id })
  if (orders.has(data.internalId)) orders.set(data.internalId, data)
  if (data.status === 'completed') console.log(`Order ${data.internalId} is paid: send the sticker.`)
  // After any 2xx, the service does not deliver this callback again.
  response.writeHead(204).end()
}

function pageOfOrder({ status, invoice }: payments.ProjectCharge): string {
  if (status === 'completed') return '<p>Paid. Thank you!</p>'
  if (status === 'expired') return '<p>This order is over. <a href="/">Order again</a></p>'
  return `<p>Pay with any Lightning wallet: <a href="${escaped(invoice.uri)}">open in wallet</a></p>
<p><code style="overflow-wrap: anywhere">${escaped(invoice.request)}</code></p>`
}

function page(response: ServerResponse, content: string, status = 200): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' })
  response.end(
    `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="2"><title>Shop</title>${content}`,
  )
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
