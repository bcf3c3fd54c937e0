import { type Html, html } from '../../lib/web/html.ts'

/**
 * Builds the content of the first page, which leads from nothing to a paid charge. A test runs the page's commands in
 * order.
 */
export function firstCharge(serverUrl: string): Html {
  return html`<section id="key" aria-labelledby="key-title"><h2 id="key-title">1. Get a key</h2>
<p>The operator of the service makes a project for you. The command prints an <code>apiKey</code> and a <code>callbackSecret</code>, once:</p>
<pre><code>npm run -s admin -- project create "My shop"</code></pre>
<p>In the playground (<code>npm start</code> in a fresh clone), put <code>DATA_FOLDER=data/playground</code> before it. The phone on its page pays.</p>
<p>Put the key where the next commands find it:</p>
<pre><code>export KEY=YOUR_API_KEY</code></pre></section>
<section id="charge" aria-labelledby="charge-title"><h2 id="charge-title">2. Make a charge</h2>
<p>A charge is an invoice that pays your project. 21 sats are <code>"21000"</code>: amounts are millisatoshis, as texts.</p>
<pre><code>${`curl -s -X POST '${serverUrl}/v0/charges' \\
  -H "apikey: $KEY" \\
  -H 'Idempotency-Key: order-7' \\
  -H 'Content-Type: application/json' \\
  -d '{"amount":"21000","description":"Order 7"}'`}</code></pre>
<p>Send it again after a timeout, with the same <code>Idempotency-Key</code>: it is the same charge.</p></section>
<section id="pay" aria-labelledby="pay-title"><h2 id="pay-title">3. Have it paid</h2>
<p>Show <code>data.invoice.request</code> as a QR code, or <code>data.invoice.uri</code> as a link. Any Lightning wallet pays it.</p></section>
<section id="see" aria-labelledby="see-title"><h2 id="see-title">4. See that it is paid</h2>
<p>Read the charge by its <code>data.id</code>. Its <code>status</code> is <code>pending</code>, then <code>completed</code> or <code>expired</code>.</p>
<pre><code>${`curl -s '${serverUrl}/v0/charges/CHARGE_ID' -H "apikey: $KEY"`}</code></pre></section>
<section id="hear" aria-labelledby="hear-title"><h2 id="hear-title">5. Hear of it</h2>
<p>Add a <code>callbackUrl</code> to the charge, and the service POSTs the same record there. Check its signature with your
<code>callbackSecret</code>, then read the charge: a callback is a hint. <a href="/docs/webhooks">Webhooks</a> has the details.</p>
<p>Clients in TypeScript and Python, a shop and quickstarts are in the project’s folders <code>clients</code> and <code>examples</code>.</p></section>`
}
