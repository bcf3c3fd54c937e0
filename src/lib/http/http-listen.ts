import type { FastifyInstance } from 'fastify'
import { Problem } from '../problem.ts'

/** The error for a requested port on which another program listens. */
export class HttpPortTaken extends Problem {
  readonly port: number

  constructor(port: number, host: string, cause: unknown, variable?: string) {
    const other = variable === undefined ? '' : ` in ${variable}. Example: ${variable}=${port + 100}`
    super(
      `Port ${port} on ${host} is already taken. Stop the program that listens there (perhaps an earlier start of ` +
        `this one), or choose another port${other}.`,
      { cause },
    )
    this.name = 'HttpPortTaken'
    this.port = port
  }
}

/**
 * Starts to serve, and returns the address at which this machine can reach the server, such as `http://127.0.0.1:8787`.
 * Port 0 stands for any free port. `variable` is the name of the setting with the port, for messages. Throws
 * HttpPortTaken, or another Problem that explains why this host or port is not available.
 */
export async function listen(
  app: FastifyInstance,
  port: number,
  host = '127.0.0.1',
  variable?: string,
): Promise<string> {
  try {
    await app.listen({ port, host, listenTextResolver: (address) => `listening on ${address}` })
  } catch (error) {
    throw explain(error, port, host, variable)
  }
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error(`no TCP address: ${address}`)
  return `http://${reachable(address.address)}:${address.port}`
}

/** Works like `listen`, but if a port is taken, tries the next, `tries` ports at most. */
export async function listenOrNext(
  app: FastifyInstance,
  port: number,
  host = '127.0.0.1',
  tries = 20,
): Promise<string> {
  for (let next = port; ; next += 1) {
    try {
      return await listen(app, next, host)
    } catch (error) {
      if (!(error instanceof HttpPortTaken) || next + 1 >= port + tries || next >= 65_535) throw error
    }
  }
}

function explain(error: unknown, port: number, host: string, variable: string | undefined): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return new HttpPortTaken(port, host, error, variable)
  if (code === 'EACCES') {
    return new Problem(
      `The user that runs Satchel is not allowed to listen on port ${port}. Choose a port above 1023.`,
      {
        cause: error,
      },
    )
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new Problem(
      `This machine has no address ${host}. Set LISTEN_HOST=127.0.0.1, or LISTEN_HOST=0.0.0.0 for all addresses.`,
      { cause: error },
    )
  }
  return error
}

/**
 * Returns the host for the URL of a server that listens on an address. If the server listens on all addresses of the
 * machine, this is the loopback address. An IPv6 address is in brackets.
 */
function reachable(address: string): string {
  if (address === '0.0.0.0') return '127.0.0.1'
  if (address === '::') return '[::1]'
  return address.includes(':') ? `[${address}]` : address
}
