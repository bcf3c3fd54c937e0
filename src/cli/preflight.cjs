// Comes before every command (`-r` in package.json, and satchel.mjs). Where an install left out its scripts, the Node that runs this may be
// too old for TypeScript, and files that the commands need are missing. In JavaScript that a Node of any age reads.
require('./node-version.cjs')
const { existsSync, readFileSync } = require('node:fs')
const nodeModule = require('node:module')
const { join } = require('node:path')

const root = join(__dirname, '..', '..')
const [major, minor] = process.versions.node.split('.').map(Number)

/** What the install lacks: a sentence that says what to do. Undefined where everything is there. */
function whatIsMissing() {
  const has = (...path) => existsSync(join(root, ...path))
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const packages = Object.keys(dependencies).filter((name) => !has('node_modules', name, 'package.json'))
  if (packages.length > 0) {
    return `Satchel is not installed, or not in full (${packages[0]} is missing): run npm ci in ${root}.`
  }
  const clients = ['payments-service', 'tipping'].every((side) => has('src', side, 'generated', 'client.ts'))
  if (!clients) {
    return `Satchel was installed without its install scripts, which make the database clients: run npm ci in ${root}, without --ignore-scripts.`
  }
  if (major < 22 || (major === 22 && minor < 18)) {
    return `Node ${process.versions.node} cannot run Satchel, and the Node that comes with it is missing: run npm ci in ${root}, without --ignore-scripts and --omit=dev.`
  }
  return undefined
}

const missing = whatIsMissing()
if (missing !== undefined) {
  console.error(missing)
  process.exit(1)
}

// What was compiled is kept for the next start, which takes half of the processor time then. In the project, where only who runs it writes:
// elsewhere others might leave something to be run. Where nothing can be written, it is compiled each time.
if (nodeModule.enableCompileCache) nodeModule.enableCompileCache(join(root, 'node_modules', '.cache', 'compiled'))

// Before anything starts: npm start -- --help.
if (process.argv.slice(2).some((word) => word === '--help' || word === '-h')) {
  const { helpOfFile } = require('./satchel-help.ts')
  const help = helpOfFile(process.argv[1])
  if (help !== undefined) {
    console.log(help)
    process.exit(0)
  }
}
