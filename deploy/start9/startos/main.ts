import { store } from './fileModels/store.json'
import { SERVICE_PORT, WEB_PORT } from './ports'
import { sdk } from './sdk'

type Node = 'none' | 'lnd' | 'phoenixd'

const DATA = '/app/data'
const NODE = '/mnt/node'

/** What Satchel reads of the node; the user of its container may not read the node's own files. */
const SECRETS: Readonly<Record<Node, string>> = {
  none: '',
  lnd: `install -o node -m 600 ${NODE}/data/chain/bitcoin/mainnet/admin.macaroon ${DATA}/lnd.macaroon
install -o node -m 600 ${NODE}/tls.cert ${DATA}/lnd-tls.cert`,
  phoenixd: `sed -n 's/^http-password=//p' ${NODE}/phoenix.conf > ${DATA}/phoenixd-password
chown node ${DATA}/phoenixd-password && chmod 600 ${DATA}/phoenixd-password`,
}

const SETTINGS: Readonly<Record<Node, Readonly<Record<string, string>>>> = {
  none: {},
  lnd: {
    LND_REST_URL: 'https://lnd.startos:8080',
    LND_MACAROON_FILE: `${DATA}/lnd.macaroon`,
    LND_TLS_CERT_FILE: `${DATA}/lnd-tls.cert`,
  },
  // The connection stays within this server, so plain http is safe.
  phoenixd: {
    PHOENIXD_URL: 'http://phoenixd.startos:9740',
    PHOENIXD_PASSWORD_FILE: `${DATA}/phoenixd-password`,
    LIGHTNING_PLAIN_HTTP: 'true',
  },
}

export const main = sdk.setupMain(async ({ effects }) => {
  const { node, setupCode } = (await store.read().const(effects)) ?? { node: 'none' as const, setupCode: '' }
  const own = sdk.Mounts.of().mountVolume({ volumeId: 'main', subpath: null, mountpoint: DATA, readonly: false })
  const mounts =
    node === 'none'
      ? own
      : own.mountDependency({ dependencyId: node, volumeId: 'main', subpath: null, mountpoint: NODE, readonly: true })
  const subcontainer = await sdk.SubContainer.of(effects, { imageId: 'satchel' }, mounts, 'satchel')
  return sdk.Daemons.of(effects)
    .addOneshot('prepare', {
      subcontainer,
      exec: { command: ['sh', '-ec', `chown -R node: ${DATA}\n${SECRETS[node]}`], user: 'root' },
      requires: [],
    })
    .addDaemon('satchel', {
      subcontainer,
      exec: {
        command: ['node', 'src/cli/start.ts'],
        user: 'node',
        cwd: '/app',
        env: { TRUST_PROXY: 'true', SETUP_CODE: setupCode, CONSOLE_PASSWORD: setupCode, ...SETTINGS[node] },
        // A clean stop takes up to 15 seconds.
        sigtermTimeout: 30_000,
      },
      ready: {
        display: 'Web page',
        fn: () =>
          sdk.healthCheck.checkPortListening(effects, WEB_PORT, {
            successMessage: 'Satchel answers',
            errorMessage: 'Satchel does not answer: its log says why',
          }),
      },
      requires: ['prepare'],
    })
    .addHealthCheck('service', {
      ready: {
        display: 'Payments service',
        fn: () =>
          sdk.healthCheck.checkPortListening(effects, SERVICE_PORT, {
            successMessage: 'Wallets are answered',
            errorMessage: 'Not running: set Satchel up first, or another payments provider is in use',
          }),
      },
      requires: ['satchel'],
    })
})
