import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import { dirname, extname, join, normalize, sep } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { HttpProblem } from '../../lib/http/http-server.ts'
import { hashForPolicy } from '../../lib/web/inline-file.ts'

const pageFolder = join(import.meta.dirname, '..', 'page')
const require = createRequire(import.meta.url)

/** The packages that run in the browser. Their own files are served, because the page has no build step. */
const modules: Readonly<Record<string, () => string>> = {
  preact: () => join(packageFolder('preact'), 'dist/preact.mjs'),
  'preact/hooks': () => join(packageFolder('preact'), 'hooks/dist/hooks.mjs'),
  htm: () => join(packageFolder('htm'), 'dist/htm.mjs'),
  'htm/preact': () => join(packageFolder('htm'), 'preact/index.mjs'),
  '@preact/signals': () => join(packageFolder('@preact/signals'), 'dist/signals.module.js'),
  '@preact/signals-core': () => join(packageFolder('@preact/signals-core'), 'dist/signals-core.module.js'),
  jsqr: () => join(packageFolder('jsqr'), 'dist/jsQR.js'),
}

/** The page's typeface in the weights that it uses. */
const fonts: Readonly<Record<string, string>> = {
  'inter-400.ttf': '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf',
  'inter-500.ttf': '@expo-google-fonts/inter/500Medium/Inter_500Medium.ttf',
  'inter-600.ttf': '@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf',
  'inter-700.ttf': '@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf',
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.ts': 'text/javascript; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
}

interface Asset {
  readonly body: string | Buffer
  readonly etag: string
  readonly changedAt: number
}

/**
 * Serves the page itself: its HTML, styles, modules (TypeScript with its types stripped) and the packages that they
 * import.
 */
export function serveAssets(app: FastifyInstance): void {
  const cache = new Map<string, Asset>()
  const html = (): string => readFileSync(join(pageFolder, 'index.html'), 'utf8')
  const policy = contentPolicy(html())

  app.get('/', async (_request, reply) =>
    reply
      .headers({
        'content-type': types['.html'],
        'content-security-policy': policy,
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-cache',
      })
      .send(html()),
  )
  app.get('/favicon.ico', async (_request, reply) => reply.redirect('/page/icon.svg', 308))
  app.get('/page/*', async (request, reply) => {
    const path = normalize(join(pageFolder, (request.params as { '*': string })['*']))
    if (!path.startsWith(pageFolder + sep) || types[extname(path)] === undefined) throw nothingHere()
    return sendFile(cache, path, reply, request.headers['if-none-match'])
  })
  app.get('/modules/*', async (request, reply) => {
    const path = ownOf(modules, (request.params as { '*': string })['*'])?.()
    if (path === undefined) throw nothingHere()
    return sendFile(cache, path, reply, request.headers['if-none-match'])
  })
  app.get('/fonts/*', async (request, reply) => {
    const file = ownOf(fonts, (request.params as { '*': string })['*'])
    if (file === undefined) throw nothingHere()
    return sendFile(cache, require.resolve(file), reply, request.headers['if-none-match'])
  })
}

/** Reads an object's own property, so that inherited names such as `constructor` find nothing. */
function ownOf<T>(all: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(all, name) ? all[name] : undefined
}

function sendFile(cache: Map<string, Asset>, path: string, reply: FastifyReply, known: string | undefined) {
  const asset = readAsset(cache, path)
  reply.headers({
    'content-type': types[extname(path)],
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-cache',
    etag: asset.etag,
  })
  return known === asset.etag ? reply.code(304).send() : reply.send(asset.body)
}

function readAsset(cache: Map<string, Asset>, path: string): Asset {
  const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  if (changedAt === undefined) throw nothingHere()
  const known = cache.get(path)
  if (known?.changedAt === changedAt) return known
  const source = readFileSync(path)
  const body = path.endsWith('.ts') ? withoutTypes(source.toString()) : source
  const asset = { body, changedAt, etag: `"${digest(body).slice(0, 22)}"` }
  cache.set(path, asset)
  return asset
}

/**
 * Strips a module's types without Node's warning that the function is experimental. Node does the same to run this
 * file, so the warning would only puzzle the person who starts the playground.
 */
function withoutTypes(source: string): string {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return stripTypeScriptTypes(source)
  } finally {
    process.emitWarning = emitWarning
  }
}

/**
 * Builds the page's Content-Security-Policy, which permits nothing from other hosts, and no inline script except the
 * import map, which it permits by its hash.
 */
function contentPolicy(html: string): string {
  const map = /<script type="importmap">([\s\S]*?)<\/script>/.exec(html)?.[1] ?? ''
  return [
    "default-src 'self'",
    `script-src 'self' '${hashForPolicy(map)}'`,
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function packageFolder(name: string): string {
  const entry = require.resolve(name)
  const marker = join('node_modules', ...name.split('/'))
  const end = entry.lastIndexOf(marker)
  return end === -1 ? dirname(entry) : entry.slice(0, end + marker.length)
}

function digest(body: string | Buffer): string {
  return createHash('sha256').update(body).digest('base64url')
}

function nothingHere(): HttpProblem {
  return new HttpProblem(404, 'unknown_file', 'There is nothing here. Check the address.')
}
