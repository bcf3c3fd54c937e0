import { createServer, type ServerResponse } from 'node:http'
// In your own project, import this from 'satchel-payments'.
import { CommunityClient } from '../../clients/typescript/src/index.ts'

/** Serves a page for a stream that shows each gift. The API key stays here: the page reads from this server. */
const { SATCHEL_URL = 'http://127.0.0.1:8788', SATCHEL_KEY = '', PORT = '4001' } = process.env

const PAGE = `<!doctype html><meta charset="utf-8"><title>Tips</title>
<style>body { background: transparent; font: 700 32px system-ui; color: #fff; text-shadow: 0 0 6px #000 }</style>
<ul id="tips"></ul>
<script type="module">
  const tips = document.getElementById('tips')
  new EventSource('/tips').onmessage = ({ data }) => {
    const item = document.createElement('li')
    item.textContent = JSON.parse(data)
    tips.prepend(item)
    setTimeout(() => item.remove(), 8_000)
  }
</script>`

const pages = new Set<ServerResponse>()
const server = createServer(({ url }, response) => {
  if (url !== '/tips') return void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE)
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }).write(': hello\n\n')
  pages.add(response)
  response.on('close', () => pages.delete(response))
})
server.listen(Number(PORT), '127.0.0.1', () => {
  const bound = server.address()
  console.log(
    `The overlay is open: http://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : PORT}`,
  )
})

const satchel = new CommunityClient({ baseUrl: SATCHEL_URL, apiKey: SATCHEL_KEY })
for await (const { data } of satchel.readEvents()) {
  const sats = Number(BigInt(data.amountMsats) / 1_000n).toLocaleString('en')
  const words = `⚡ ${sats} ${data.testMoney ? 'test sats' : 'sats'}: ${data.type}${data.from === null ? '' : ` from ${data.from}`}`
  for (const page of pages) page.write(`data: ${JSON.stringify(words)}\n\n`)
}
