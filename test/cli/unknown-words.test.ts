import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { programsInFolder } from './programs.ts'

const { here, command } = programsInFolder()

describe('a command with a wrong argument', () => {
  it.each([
    ['audit', 'restore', 'start'],
    ['bot', 'playground', 'service', 'setup', '../../scripts/tour'],
    ['confirm-clock', 'rotate-wallet-key'],
  ])('names the unknown option and prints the correct usage: %s, %s', async (...names) => {
    for (const { code, text } of await Promise.all(names.map((name) => command(name, {}, '--oops').ended()))) {
      const said = expect.stringMatching(/^Unknown option '--oops'[^\n]*\n\nsatchel [a-z-]+/)
      expect({ code, text }).toEqual({ code: 1, text: said })
    }
  })

  it('names the unknown option even if the command takes no options', async () => {
    const { code, text } = await command('health', {}, '--oops').ended()
    expect({ code, text }).toEqual({ code: 1, text: "Unknown option '--oops'\n" })
  })

  it('prints its usage', async () => {
    const [admin, backup, verify] = await Promise.all(
      ['admin', 'backup', 'verify'].map((name) => command(name, {}, '--oops').ended()),
    )
    expect(admin).toMatchObject({
      code: 1,
      text: expect.stringMatching(/Unknown option '--oops'[\s\S]*npm run -s admin/),
    })
    expect(backup).toMatchObject({ code: 1, text: expect.stringMatching(/^satchel backup FOLDER\n/) })
    expect(verify).toMatchObject({ code: 1, text: expect.stringMatching(/^satchel verify FILE/) })
  })

  it.each(['backup', 'restore', 'verify', 'adopt-claims'])(
    'refuses an empty name with an explanation: %s',
    async (name) => {
      for (const empty of ['', ' ']) {
        const { code, text } = await command(name, {}, empty).ended()
        expect({ code, text }).toEqual({
          code: 1,
          text: expect.stringMatching(/^The name is empty: .* (?:Choose|Give|Name) [^\n]*\n$/),
        })
      }
      expect(readdirSync(here.folder)).toEqual([])
    },
  )

  it('explains the remedy if a proof to verify cannot be read', async () => {
    writeFileSync(join(here.folder, 'cut.json'), '{"kind":')
    const [gone, cut] = await Promise.all(['gone.json', 'cut.json'].map((file) => command('verify', {}, file).ended()))
    const advice = 'Save what /giveaway verify or /status verify:True gave you once more, as it is, and name that file.'
    expect(gone).toMatchObject({ code: 1, text: expect.stringMatching(/^gone\.json cannot be read \(ENOENT/) })
    expect(cut).toMatchObject({ code: 1, text: expect.stringMatching(/^cut\.json is not JSON/) })
    for (const it of [gone, cut]) expect(it?.text).toContain(advice)
  })

  it('prints no control characters from a hostile proof', async () => {
    const clears = '\u001b[2J'
    const hostile = [
      { kind: 'satchel-giveaway', version: 1, giveaway: clears, won: [clears], [clears]: 1 },
      { kind: 'satchel-balance', version: 1, member: clears, at: clears, [clears]: 1 },
      { kind: clears, version: clears },
      clears,
    ]
    const files = hostile.map((content, nth) => [`hostile-${nth}.json`, JSON.stringify(content)] as const)
    for (const [file, text] of [...files, ['hostile.json', clears] as const]) {
      writeFileSync(join(here.folder, file), text)
      const { code, text: said } = await command('verify', {}, file).ended()
      expect({ file, code, isQuiet: !said.includes('\u001b') }).toEqual({ file, code: 1, isQuiet: true })
    }
  })
})
