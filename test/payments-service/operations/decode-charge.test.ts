import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { msats } from '../../../src/lib/amount.ts'
import { expectRefusal, ServiceWorld, type TestProject } from '../harness.ts'

interface Vectors {
  readonly valid: readonly { readonly invoice: string; readonly name?: string }[]
  readonly invalid: readonly { readonly invoice: string; readonly name?: string }[]
}

const vectors = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../vectors/bolt11.json'), 'utf8'),
) as Vectors

let world: ServiceWorld
let project: TestProject

beforeEach(async () => {
  world = await ServiceWorld.open()
  project = await world.project(msats(0))
})

afterEach(() => world.close())

const decode = (invoice: unknown) =>
  world.raw('POST', '/v0/decode-invoice', { apiKey: project.apiKey, body: { invoice } })
