import fc from 'fast-check'
import { decodelnurl } from 'js-lnurl/lib/helpers/decodelnurl.js'
import { describe, expect, it } from 'vitest'
import {
  decodeLnurl,
  encodeLnurl,
  forQr,
  InvalidLnurl,
  lightningUri,
  looksLikeLnurl,
  parseLightningAddress,
} from '../../../src/lib/lightning/lnurl.ts'

// The example of LUD-01.
const url = 'https://service.com/api?q=3fc3645b439ce8e7f2553a69e5267081d96dcd340693afabe04be7b0ccd178df'
const code =
  'LNURL1DP68GURN8GHJ7UM9WFMXJCM99E3K7MF0V9CXJ0M385EKVCENXC6R2C35XVUKXEFCV5MKVV34X5EKZD3EV56NYD3HXQURZEPEXEJXXEPNXSCRVWFNV9NXZCN9XQ6XYEFHVGCXXCMYXYMNSERXFQ5FNS'
const loopback = { allowLoopbackHttp: true }

describe('the function encodeLnurl', () => {
  it('encodes the example of LUD-01', () => {
    expect(encodeLnurl(url)).toBe(code.toLowerCase())
    expect(forQr(encodeLnurl(url))).toBe(code)
    expect(lightningUri(encodeLnurl(url))).toBe(`lightning:${code.toLowerCase()}`)
  })

  it('encodes URLs as codes that another library decodes to the same URLs', () => {
    fc.assert(
      fc.property(fc.webUrl({ validSchemes: ['https'], withQueryParameters: true }), (any) => {
        const wanted = new URL(any).href
        expect(decodelnurl(encodeLnurl(wanted))).toBe(wanted)
        expect(decodeLnurl(encodeLnurl(wanted)).href).toBe(wanted)
      }),
    )
  })
})

describe('the function decodeLnurl', () => {
  it.each([
    ['a code in upper case', code],
    ['a code in lower case', code.toLowerCase()],
    ['a lightning: URI', `lightning:${code}`],
    ['an upper-case lightning: URI', `LIGHTNING:${code}`],
    ['a code with spaces around it', ` ${code}\n`],
    ['a web link that contains a code', `https://service.com/giftcard/redeem?id=123&lightning=${code}`],
  ])('decodes %s', (_, text) => {
    expect(looksLikeLnurl(text)).toBe(true)
    expect(decodeLnurl(text).href).toBe(url)
  })

  it.each([
    ['lnurlp://domain.com/path?a=b', 'https://domain.com/path?a=b'],
    ['lnurlw://domain.com/path', 'https://domain.com/path'],
    ['LNURLP:domain.com/path', 'https://domain.com/path'],
    ['lightning:lnurlp://domain.com/path', 'https://domain.com/path'],
    ['lnurlp://examplennnnnnnn.onion/path', 'http://examplennnnnnnn.onion/path'],
  ])('decodes %s (LUD-17)', (text, wanted) => {
    expect(looksLikeLnurl(text)).toBe(true)
    expect(decodeLnurl(text).href).toBe(wanted)
  })

  it('refuses http for clearnet hosts, and for loopback unless the caller allows it', () => {
    for (const host of ['127.0.0.1:8787', 'localhost:8787', '[::1]:8787']) {
      const target = `http://${host}/pay`
      expect(decodeLnurl(encodeLnurl(target), loopback).href).toBe(target)
      expect(decodeLnurl(`lnurlp://${host}/pay`, loopback).href).toBe(target)
      expect(() => decodeLnurl(encodeLnurl(target))).toThrow('does not use https')
      expect(decodeLnurl(`lnurlp://${host}/pay`).protocol).toBe('https:')
    }
    for (const host of ['example.com', '127.0.0.1.example.com', 'localhost.example.com', '10.0.0.1']) {
      expect(() => decodeLnurl(encodeLnurl(`http://${host}/`), loopback)).toThrow(InvalidLnurl)
    }
  })

  it.each([
    ['an empty text', ''],
    ['prose', 'pay me'],
    ['an address', 'alice@example.com'],
    ['a damaged code', code.replace('DP68', 'DP69')],
    ['a cut code', code.slice(0, -1)],
    ['a code in mixed case', code.slice(0, 20) + code.slice(20).toLowerCase()],
    ['an invoice', 'lnbc1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypq'],
    ['a link without a code', 'https://example.com/?lightning=hello'],
    ['a code without a URL', encodeLnurl('not a url')],
    ['a code for a file', encodeLnurl('file:///etc/passwd')],
    ['a code with a password', encodeLnurl('https://user:password@example.com/')],
    ['a log-in link', 'keyauth://example.com/?tag=login'],
    ['a code of ten megabytes', `lnurl1${'q'.repeat(10_000_000)}`],
  ])('refuses %s and explains why', (_, text) => {
    expect(() => decodeLnurl(text)).toThrow(InvalidLnurl)
    expect(() => decodeLnurl(text)).toThrow(/^[A-Z].*\.$/)
  })
})

describe('the function parseLightningAddress', () => {
  it.each([
    ['satoshi@bitcoin.org', 'https://bitcoin.org/.well-known/lnurlp/satoshi'],
    [' Satoshi@Bitcoin.org ', 'https://bitcoin.org/.well-known/lnurlp/satoshi'],
    ['lightning:satoshi@bitcoin.org', 'https://bitcoin.org/.well-known/lnurlp/satoshi'],
    ['a.b-c_1@pay.example.co.uk:8443', 'https://pay.example.co.uk:8443/.well-known/lnurlp/a.b-c_1'],
    ['alice+coffee@example.com', 'https://example.com/.well-known/lnurlp/alice+coffee'],
    ['Alice+Two+3@example.com', 'https://example.com/.well-known/lnurlp/alice+two+3'],
    ['\u200balice@\u2060example.com\ufeff', 'https://example.com/.well-known/lnurlp/alice'],
    ['x@examplennnnnnnn.onion', 'http://examplennnnnnnn.onion/.well-known/lnurlp/x'],
  ])('returns the URL for the Lightning Address %s', (text, wanted) => {
    expect(parseLightningAddress(text).url.href).toBe(wanted)
  })

  it('uses https for clearnet hosts, and for loopback unless the caller allows http', () => {
    expect(parseLightningAddress('bob@localhost:8787', loopback)).toMatchObject({
      address: 'bob@localhost:8787',
      user: 'bob',
      host: 'localhost:8787',
      url: new URL('http://localhost:8787/.well-known/lnurlp/bob'),
    })
    expect(parseLightningAddress('bob@127.0.0.1:8787', loopback).url.protocol).toBe('http:')
    expect(parseLightningAddress('bob@127.0.0.1:8787').url.protocol).toBe('https:')
    expect(parseLightningAddress('bob@example.com', loopback).url.protocol).toBe('https:')
  })

  it.each([
    '',
    'alice',
    '@example.com',
    'alice@',
    'alice@example',
    'al ice@example.com',
    'alice@exa mple.com',
    'a@b@c.com',
    '+tag@example.com',
    'alice+@example.com',
  ])('refuses "%s"', (text) => {
    expect(() => parseLightningAddress(text)).toThrow(InvalidLnurl)
  })

  it.each(['alice@example.com/../x', 'alice@example.com?x', 'alice@example.com#x', '../x@example.com'])(
    'refuses "%s", which would lead to another URL',
    (text) => {
      expect(() => parseLightningAddress(text)).toThrow(InvalidLnurl)
    },
  )
})
