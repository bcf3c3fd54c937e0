import type { IncomingMessage, ServerResponse } from 'node:http'

/** The answers that no program should send after it has carried out a request. */
export const STRANGE_ANSWERS = [
  'act-then-html',
  'act-then-half',
  'act-then-huge',
  'act-then-redirect',
  'act-then-text',
  'act-then-empty',
  'act-then-array',
] as const

export type StrangeAnswer = (typeof STRANGE_ANSWERS)[number]

/** Answers a request in the given strange way. */
export function answerStrangely(how: StrangeAnswer, request: IncomingMessage, response: ServerResponse): void {
  const json = { 'content-type': 'application/json' }
  switch (how) {
    case 'act-then-html':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>maintenance</html>')
      return
    case 'act-then-half':
      response.writeHead(200, { ...json, 'content-length': '500' })
      response.write('{"success":true,"data":{"id":', () => request.socket.destroy())
      return
    case 'act-then-huge':
      response.writeHead(200, json).end(`{"success":true,"data":"${'x'.repeat(5_000_000)}"}`)
      return
    case 'act-then-redirect':
      response.writeHead(307, { location: request.url ?? '/' }).end()
      return
    case 'act-then-text':
      response.writeHead(200, { 'content-type': 'text/plain' }).end('OK')
      return
    case 'act-then-empty':
      response.writeHead(200, json).end()
      return
    case 'act-then-array':
      response.writeHead(200, json).end('[]')
  }
}
