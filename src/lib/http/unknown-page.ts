import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Html, html } from '../web/html.ts'
import { hashForPolicy } from '../web/inline-file.ts'
import { CARD_STYLE, pageFrame } from '../web/page-frame.ts'
import type { HttpProblem } from './http-problem.ts'

/** A page for an unknown address, with its Content-Security-Policy. */
export interface UnknownPage {
  readonly page: Html
  readonly policy: string
}

const POLICY = `default-src 'none'; style-src '${hashForPolicy(CARD_STYLE.text)}'; frame-ancestors 'none'`

/** Whether a person opened the address in a browser. Programs do not ask for HTML in their `Accept` header. */
export function isForBrowser({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && (headers.accept ?? '').includes('text/html')
}

/** Answers somebody in a browser with a page about an unknown address. */
export function answerWithPage({ status }: HttpProblem, reply: FastifyReply, { page, policy }: UnknownPage): void {
  void reply.code(status).header('content-security-policy', policy).type('text/html; charset=utf-8').send(page.text)
}

/** Builds the page of a server that has none of its own. */
export function plainPage({ message }: HttpProblem): UnknownPage {
  const title = 'Nothing is here'
  const frame = { title, head: html`<style>${CARD_STYLE}</style>` }
  return { page: pageFrame(frame, html`<main><h1>${title}</h1><p>${message}</p></main>`), policy: POLICY }
}
