import type { FastifyInstance } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { HttpPortTaken, listen, listenOrNext } from '../../../src/lib/http/http-listen.ts'
import { createHttpServer } from '../../../src/lib/http/http-server.ts'
import { silentLogger } from '../../../src/lib/logger.ts'

const open: FastifyInstance[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((app) => app.close()))
})

function server(): FastifyInstance {
  const app = createHttpServer({ logger: silentLogger })
  app.get('/', async () => ({ ok: true }))
  open.push(app)
  return app
}

describe('the function listen', () => {
  it('returns a URL at which the server answers', async () => {
    for (const host of [undefined, '0.0.0.0']) {
      const url = await listen(server(), 0, host)
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
      expect(await (await fetch(url)).json()).toEqual({ ok: true })
    }
  })

  it('names the port in its error if the port is already taken', async () => {
    const port = Number(new URL(await listen(server(), 0)).port)
    const error = await listen(server(), port).catch((failure: unknown) => failure)
    expect(error).toBeInstanceOf(HttpPortTaken)
    expect(error).toMatchObject({
      port,
      message: expect.stringContaining(`Port ${port} on 127.0.0.1 is already taken`),
    })
  })

  it('rejects an IP address that this machine does not have', async () => {
    await expect(listen(server(), 0, '203.0.113.7')).rejects.toThrow('This machine has no address 203.0.113.7')
  })
})

describe('the function listenOrNext', () => {
  it('listens on a higher port if the given port is taken', async () => {
    const port = Number(new URL(await listen(server(), 0)).port)
    const url = await listenOrNext(server(), port)
    expect(Number(new URL(url).port)).toBeGreaterThan(port)
    expect((await fetch(url)).status).toBe(200)
  })

  it('fails after the given number of attempts', async () => {
    const port = Number(new URL(await listen(server(), 0)).port)
    await expect(listenOrNext(server(), port, '127.0.0.1', 1)).rejects.toThrow(HttpPortTaken)
  })
})
