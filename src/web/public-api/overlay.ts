import type { FastifyInstance } from 'fastify'
import { html } from '../../lib/web/html.ts'
import { hashForPolicy, inlineFile } from '../../lib/web/inline-file.ts'

const STYLE = inlineFile(new URL('./assets/overlay.css', import.meta.url))
const SCRIPT = inlineFile(new URL('./assets/overlay.js', import.meta.url))

/** The page uses its own style and script, and calls only its own server. */
const POLICY = [
  "default-src 'none'",
  `style-src '${hashForPolicy(STYLE.text)}'`,
  `script-src '${hashForPolicy(SCRIPT.text)}'`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const PAGE = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="robots" content="noindex"><title>Satchel</title>
<style>${STYLE}</style></head>
<body><ul id="events" aria-live="polite"></ul><script type="module">${SCRIPT}</script></body></html>`

/**
 * Adds a page for a stream, which shows a server's events on a transparent ground. The page is the same for everybody;
 * its script reads events with the key in its address.
 */
export function addOverlay(app: FastifyInstance): void {
  app.get('/overlay', async (_, reply) =>
    reply
      .headers({ 'content-security-policy': POLICY, 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(PAGE.text),
  )
}
