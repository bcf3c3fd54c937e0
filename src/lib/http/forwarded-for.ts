import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

const HEADER = 'x-forwarded-for'

/**
 * Reduces X-Forwarded-For to plain addresses, because some proxies write more than that: removes a port, brackets,
 * quotes and a zone. A value that is not an address (`unknown`, an empty place) counts as the proxy that wrote it. A
 * missing header stays missing.
 */
export function plainForwarding({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): void {
  const given = headers[HEADER]
  if (given === undefined) return
  let writer = socket.remoteAddress ?? ''
  const plain = [given]
    .flat()
    .join(',')
    .split(',')
    .toReversed()
    .map((entry) => {
      writer = addressIn(entry) ?? writer
      return writer
    })
  headers[HEADER] = plain.toReversed().join(', ')
}

function addressIn(entry: string): string | undefined {
  const text = entry.trim().replace(/^"(.*)"$/, '$1')
  const [, inBrackets] = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text) ?? []
  const [, beforePort] = /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/.exec(text) ?? []
  const address = (inBrackets ?? beforePort ?? text).replace(/%.*$/, '')
  return isIP(address) === 0 ? undefined : address
}
