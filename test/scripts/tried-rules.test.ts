import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { readSourceTree } from '../../scripts/house-rules/source-tree.ts'
import { checkTried } from '../../scripts/house-rules/tried-rules.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/** Creates a folder with these files. */
function written(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'tried-rules-'))
  folders.push(root)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

describe('the simulation’s coverage', () => {
  const OFFERED = {
    'src/tipping/tipping.ts':
      'export interface Tipping { readonly tips: Tips; readonly drops: Drops; audit(): Promise<void> }',
    'src/tipping/tips/tips.ts': 'export interface Tips { send(to: string): Promise<void>; view(id: string): void }',
    'src/tipping/drops/drops.ts': 'export interface Drops { claim(drop: string): Promise<void> }',
    'src/payments-api/operations.ts': 'export const operations = { sendPayment, getWallet } as const',
  }
  const ALL = '({ tips, tipping }) => [tips.send, tipping.tips.view, tipping.drops.claim]'
  const untried = (actor: string, notTried: Readonly<Record<string, string>> = {}) =>
    checkTried(readSourceTree(written({ ...OFFERED, 'proof/people/someone.ts': actor })), notTried)

  it('must include every verb of the bot and every operation of the service', () => {
    expect(untried(`${ALL}; client.sendPayment(); stage.client.getWallet()`)).toEqual([])
    expect(untried('tips.send()')).toEqual([
      expect.stringMatching(/calls tips\.view;/),
      expect.stringMatching(/calls drops\.claim;/),
      expect.stringMatching(/calls client\.sendPayment;/),
      expect.stringMatching(/calls client\.getWallet;/),
    ])
  })

  it('need not include exempt verbs, whether single verbs or all verbs of a noun', () => {
    const notTried = { 'tips.view': 'shown', 'drops.*': 'elsewhere', 'client.getWallet': 'read by the bot' }
    expect(untried('tips.send(); client.sendPayment()', notTried)).toEqual([])
  })

  it('must have no exemption for verbs that are covered or do not exist', () => {
    const notTried = { 'tips.view': 'shown', 'tips.gone': 'was there once' }
    expect(untried(`${ALL}; client.sendPayment(); client.getWallet()`, notTried)).toEqual([
      expect.stringMatching(/tips\.view is exempt/),
      expect.stringMatching(/tips\.gone is exempt/),
    ])
  })

  it('does not count verbs that only a judge mentions', () => {
    const files = written({ ...OFFERED, 'proof/judge/tips.ts': `${ALL}; client.sendPayment(); client.getWallet()` })
    expect(checkTried(readSourceTree(files), {})).toHaveLength(5)
  })
})
