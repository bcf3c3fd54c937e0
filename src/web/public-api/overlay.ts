import type { FastifyInstance } from 'fastify'
import { type Html, html } from '../../lib/web/html.ts'
import { hashForPolicy, inlineFile } from '../../lib/web/inline-file.ts'

const STYLE = inlineFile(new URL('./assets/overlay.css', import.meta.url))
const SCRIPT = inlineFile(new URL('./assets/overlay.js', import.meta.url))

/** The Content-Security-Policy of the page, which uses its own style and script, and calls only its own server. */
const POLICY = [
  "default-src 'none'",
  `style-src '${hashForPolicy(STYLE.text)}'`,
  `script-src '${hashForPolicy(SCRIPT.text)}'`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The page's texts in one language. */
export interface OverlayTexts {
  readonly language: string
  /** The text before the first connection. */
  readonly connecting: string
  /** The text for some seconds after the first connection, so that a page without gifts does not look broken. */
  readonly connected: string
  readonly noKey: string
  readonly wrongKey: string
  /** The units after an amount. */
  readonly sats: string
  readonly testSats: string
}

function draw({ language, connecting, connected, noKey, wrongKey, sats, testSats }: OverlayTexts): Html {
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="robots" content="noindex"><title>Satchel</title>
<style>${STYLE}</style></head>
<body><ul id="events" aria-live="polite" data-connecting="${connecting}" data-connected="${connected}" data-no-key="${noKey}" data-wrong-key="${wrongKey}" data-sats="${sats}" data-test-sats="${testSats}"></ul><script type="module">${SCRIPT}</script></body></html>`
}

/**
 * Adds a page for a stream, which shows a server's events on a transparent background. The page is the same for
 * everybody with the same language; its script reads events with the key in its address.
 */
export function addOverlay(app: FastifyInstance, textsFor: (acceptLanguage: string | undefined) => OverlayTexts): void {
  app.get('/overlay', async ({ headers }, reply) =>
    reply
      .headers({ 'content-security-policy': POLICY, 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(draw(textsFor(headers['accept-language'])).text),
  )
}
