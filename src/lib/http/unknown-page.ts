import type { FastifyReply, FastifyRequest } from 'fastify'
import { html } from '../web/html.ts'
import { hashForPolicy } from '../web/inline-file.ts'
import { CARD_STYLE, pageFrame } from '../web/page-frame.ts'
import type { HttpProblem } from './http-problem.ts'

const POLICY = `default-src 'none'; style-src '${hashForPolicy(CARD_STYLE.text)}'; frame-ancestors 'none'`

/** Whether a person opened the address in a browser. Programs name no HTML. */
export function isForBrowser({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && (headers.accept ?? '').includes('text/html')
}

/** Answers somebody in a browser with a page about an unknown address. */
export function answerWithPage({ status, message }: HttpProblem, reply: FastifyReply): void {
  const title = 'Nothing is here'
  const frame = { title, head: html`<style>${CARD_STYLE}</style>` }
  const page = pageFrame(frame, html`<main><h1>${title}</h1><p>${message}</p></main>`)
  void reply.code(status).header('content-security-policy', POLICY).type('text/html; charset=utf-8').send(page.text)
}
