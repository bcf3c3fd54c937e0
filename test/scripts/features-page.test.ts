import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { commandList } from '../../src/bot/bot.ts'
import { languages } from '../../src/bot/i18n/languages.ts'
import { SATCHEL_COMMANDS } from '../../src/cli/satchel-commands.ts'
import { BACKEND_KINDS } from '../../src/payments-service/engine/node/backend-list.ts'
import { LANGUAGES } from '../../src/payments-service/wallet-page/i18n/languages.ts'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'FEATURES.md'), 'utf8')
const sources = globSync('src/**/*.ts', { cwd: root, exclude: ['src/*/generated/**'] })

it('FEATURES.md names exactly the commands of the bot', () => {
  const named = [...page.matchAll(/`\/([a-z-]+)`/g)].map(([, name]) => name)
  const pages = new Set(['docs', 'health', 'ready', 'metrics'])
  const families = commandList().map(({ name }) => name.split(' ')[0])
  expect(new Set(named.filter((name = '') => !pages.has(name)))).toEqual(new Set(families))
})

it('FEATURES.md names every subcommand of `/admin`', () => {
  const [, listed = ''] = /`\/admin`: ([^|]+) \|/.exec(page) ?? []
  const does = commandList().flatMap(({ name }) => (name.startsWith('admin ') ? [name.slice('admin '.length)] : []))
  expect(listed.split(/,\s+/).sort()).toEqual(does.sort())
})

it('FEATURES.md states how many languages the bot and the wallet page have', () => {
  const counted = /(\d+) in the bot, (\d+) on the wallet page/.exec(page)?.slice(1).map(Number)
  expect(counted).toEqual([languages.length, Object.keys(LANGUAGES).length])
})

it('FEATURES.md names every command of satchel', () => {
  const [, listed = ''] = /`npx satchel` with ([^.]+)\./.exec(page) ?? []
  expect(listed.split(/,\s+/).sort()).toEqual(Object.keys(SATCHEL_COMMANDS).sort())
})

it('FEATURES.md names the LUDs and NIPs that the source names', () => {
  const namedIn = (text: string) => [...text.matchAll(/\b(?:LUD|NIP)-\d\d\b/g)].map(([name]) => name)
  const inSource = sources.flatMap((file) => namedIn(readFileSync(join(root, file), 'utf8')))
  expect([...new Set(namedIn(page))].sort()).toEqual([...new Set(inSource)].sort())
})

it('FEATURES.md lists the capabilities that each backend declares', () => {
  const table = [...page.matchAll(/^\|(.*)\|$/gm)].map(([, row = '']) => row.split('|').map((cell) => cell.trim()))
  expect(table.find(([, name]) => name === 'lnd')?.slice(1)).toEqual([...BACKEND_KINDS])
  for (const [at, kind] of BACKEND_KINDS.entries()) {
    const declared = declaredBy(kind)
    expect(declared.size, kind).toBe(8)
    for (const [capability, value] of declared) {
      const cell = table.find(([name]) => name?.includes(`\`${capability}\``))?.[at + 1]
      expect(cell, `${kind}: ${capability}`).toBe(value)
    }
  }
})

/**
 * Returns a backend's capabilities as its source declares them, with `wallet` or `node` for one that depends on those.
 */
function declaredBy(kind: string): Map<string, string> {
  const folder = sources.filter((file) => file.startsWith(`src/payments-service/backends/${kind}/`))
  const text =
    folder.map((file) => readFileSync(join(root, file), 'utf8')).find((code) => /^\s+keysend: \w+,$/m.test(code)) ?? ''
  const asked = /\.\.\.\(await offerRights\(/.test(text) ? 'node' : 'no'
  const [block = ''] = /\n\s+keysend: [\s\S]*?sendable:/.exec(text) ?? []
  const entries = [...block.matchAll(/^\s+(\w+): (true|false|'\w+'|this\.#\w+),$/gm)]
  return new Map(
    entries.map(([, name = '', value = '']) => {
      if (value === 'true') return [name, 'yes']
      if (value.startsWith('this.')) return [name, 'wallet']
      if (value !== 'false') return [name, value.replaceAll("'", '')]
      return [name, /offers|bitcoinNames/i.test(name) ? asked : 'no']
    }),
  )
}
