import { benchService } from './bench/service.ts'

/** The sections of `npm run bench -- SECTION [--seconds N]`. */
const SECTIONS: Readonly<Record<string, (options: { readonly seconds: number }) => Promise<void>>> = {
  service: benchService,
}

const [section = '', ...options] = process.argv.slice(2)
const bench = SECTIONS[section]
const at = options.indexOf('--seconds')
const seconds = at < 0 ? 5 : Number(options[at + 1])
if (bench === undefined || !(seconds > 0)) {
  console.error(`npm run bench -- SECTION [--seconds N], where SECTION is one of: ${Object.keys(SECTIONS).join(', ')}`)
  process.exit(1)
}
await bench({ seconds })
