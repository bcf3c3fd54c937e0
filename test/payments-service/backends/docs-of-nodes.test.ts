import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CREATE_RUNE } from '../../../src/payments-service/backends/core-lightning/clnrest.ts'
import { FINAL_XPAY_ERRORS } from '../../../src/payments-service/backends/core-lightning/xpay-errors.ts'
import { BAKE_MACAROON } from '../../../src/payments-service/backends/lnd/lnd-rights.ts'
import { FINAL_LND_FAILURES } from '../../../src/payments-service/backends/lnd/payment-failures.ts'
import { NEEDED_METHODS } from '../../../src/payments-service/backends/nwc/nwc-rights.ts'
import { REFUSED_BY_WALLET } from '../../../src/payments-service/backends/nwc/wallet-errors.ts'
import { FINAL_PHOENIXD_FAILURES } from '../../../src/payments-service/backends/phoenixd/payment-failures.ts'
import { BACKENDS, type Variable } from '../../../src/payments-service/engine/node/backend-list.ts'

const page = (name: string) => readFileSync(`docs/lightning-nodes/${name}.md`, 'utf8')

describe('the pages about nodes', () => {
  it.each(BACKENDS)('include a page for $kind, whose variables .env.example explains', ({ kind, variables }) => {
    const example = readFileSync('.env.example', 'utf8')
    const words = page(kind.replace('remote-', ''))
    expect(words).toContain(`LIGHTNING_BACKEND=${kind}`)
    for (const { name, form } of Object.values<Variable>(variables)) {
      const written = form === 'secret' ? `${name}_FILE` : name
      expect(example).toContain(`# ${written}=`)
      expect(words).toContain(form === 'choice' ? name : `${written}=`)
    }
  })

  it('give the command for a minimal macaroon and all reasons that prove a failure', () => {
    expect(page('lnd')).toContain(BAKE_MACAROON)
    // The same in a container, where another folder can be written.
    expect(page('lnd')).toContain(BAKE_MACAROON.replace('--save_to ', '--save_to /tmp/'))
    const pages = ['README.md', ...globSync('docs/**/*.md')].map((file) => readFileSync(file, 'utf8')).join('\n')
    const baked = [...pages.matchAll(/lncli bakemacaroon --save_to .*/g)].map(([line]) => line.replace('/tmp/', ''))
    expect(new Set(baked)).toEqual(new Set([BAKE_MACAROON]))
    for (const reason of FINAL_LND_FAILURES.keys()) expect(page('lnd')).toContain(`\`${reason}\``)
  })

  it('give the command for a minimal rune and all errors that prove a failure', () => {
    expect(page('core-lightning')).toContain(CREATE_RUNE)
    for (const code of FINAL_XPAY_ERRORS.keys()) expect(page('core-lightning')).toMatch(new RegExp(`\\| .*${code}\\b`))
  })

  it('list all reasons of phoenixd that prove a failure', () => {
    for (const reason of FINAL_PHOENIXD_FAILURES.keys()) {
      const [beginning = ''] = reason.split(/, | or /)
      expect(page('phoenixd')).toContain(`\`${beginning}`)
    }
  })

  it('list all needed NWC methods and all refusals that prove a failure', () => {
    for (const name of [...NEEDED_METHODS, ...REFUSED_BY_WALLET.keys()]) expect(page('nwc')).toContain(`\`${name}\``)
  })
})
