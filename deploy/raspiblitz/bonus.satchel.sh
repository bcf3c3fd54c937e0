#!/bin/bash
# Installs Satchel on a RaspiBlitz. Put this script beside the RaspiBlitz's own scripts (`config.scripts` of the user admin), and set
# REPO and SIGNER to those of the release that you trust. `off` keeps the books; this script never deletes them.

APPID=satchel
REPO=https://example.org/satchel
VERSION=v0.1.0
# The fingerprint of the key that signs the tags. The public key must be in the keyring of the user who runs this script.
SIGNER=
PORT_CLEAR=8788
PORT_SSL=8790
SCRIPTS=$(cd "$(dirname "$0")" && pwd)
DATA=/mnt/hdd/app-data/satchel
LND=/mnt/hdd/app-data/lnd
UNIT=/etc/systemd/system/satchel.service
SITE=/etc/nginx/sites-available/satchel_ssl.conf

usage() {
  echo "# bonus.${APPID}.sh on      installs and starts it"
  echo "# bonus.${APPID}.sh off     removes the program, and keeps the books in ${DATA}"
  echo "# bonus.${APPID}.sh status  says what is there (key=value)"
  echo "# bonus.${APPID}.sh menu    shows its address"
}

say_status() {
  local installed=0 running=0
  [ -f "${UNIT}" ] && installed=1
  systemctl is-active --quiet "${APPID}" && running=1
  echo "appID='${APPID}'"
  echo "version='${VERSION}'"
  echo "isInstalled=${installed}"
  echo "isRunning=${running}"
  echo "url='https://$(local_ip):${PORT_SSL}'"
}

local_ip() {
  hostname -I | awk '{print $1}'
}

show_menu() {
  whiptail --title " Satchel " --msgbox "Open https://$(local_ip):${PORT_SSL}/setup in your browser.\n\nSet-up and the console ask for the code in ${DATA}/set-up-code:\n\n$(sudo cat "${DATA}/set-up-code")" 14 70
}

fetch_code() {
  sudo -u "${APPID}" git clone --quiet --branch "${VERSION}" --depth 1 "${REPO}" "${CODE}" || return 1
  local signed
  signed=$(sudo GNUPGHOME="${GNUPGHOME:-${HOME}/.gnupg}" git -c safe.directory="${CODE}" -C "${CODE}" verify-tag --raw "${VERSION}" 2>&1 | sed -n 's/^\[GNUPG:\] VALIDSIG \([0-9A-F]*\).*/\1/p')
  if [ -z "${SIGNER}" ] || [ "${signed}" != "${SIGNER}" ]; then
    echo "error='the tag ${VERSION} is not signed by the key in SIGNER'"
    return 1
  fi
  (cd "${CODE}" && sudo -u "${APPID}" npm ci --no-audit --no-fund)
}

write_unit() {
  sudo tee "${UNIT}" >/dev/null <<UNIT
[Unit]
Description=Satchel, a Discord bot for sats
Wants=network-online.target
After=network-online.target lnd.service

[Service]
User=satchel
SupplementaryGroups=lndadmin
WorkingDirectory=${CODE}
ExecStart=${CODE}/node_modules/.bin/node --max-semi-space-size=16 src/cli/start.ts
EnvironmentFile=${DATA}/environment
Restart=on-failure
RestartSec=5
KillSignal=SIGTERM
TimeoutStopSec=30
UMask=0077
ProtectSystem=strict
ReadWritePaths=${DATA}
PrivateTmp=yes
PrivateDevices=yes
NoNewPrivileges=yes

[Install]
WantedBy=multi-user.target
UNIT
}

# Set-up offers this node first. The owner opens set-up with the code, which the menu shows.
write_environment() {
  local code network=${chain:-main}net
  code=$(openssl rand -hex 12)
  [ -f "${DATA}/set-up-code" ] && code=$(sudo cat "${DATA}/set-up-code")
  echo "${code}" | sudo tee "${DATA}/set-up-code" >/dev/null
  sudo tee "${DATA}/environment" >/dev/null <<SETTINGS
NODE_ENV=production
DATA_FOLDER=${DATA}
SETTINGS_FILE=${DATA}/settings.env
SETUP_CODE=${code}
CONSOLE_PASSWORD=${code}
TRUST_PROXY=true
CALLBACK_PORT=${PORT_CLEAR}
LND_REST_URL=https://127.0.0.1:8080
LND_MACAROON_FILE=${LND}/data/chain/bitcoin/${network}/admin.macaroon
LND_TLS_CERT_FILE=${LND}/tls.cert
SETTINGS
  sudo chown -R "${APPID}:${APPID}" "${DATA}"
  sudo chmod 600 "${DATA}/environment" "${DATA}/set-up-code"
}

write_site() {
  sudo tee "${SITE}" >/dev/null <<SITE
server {
    listen ${PORT_SSL} ssl;
    listen [::]:${PORT_SSL} ssl;
    server_name _;
    include /etc/nginx/snippets/ssl-params.conf;
    include /etc/nginx/snippets/ssl-certificate-app-data.conf;
    location / {
        proxy_pass http://127.0.0.1:${PORT_CLEAR};
        include /etc/nginx/snippets/ssl-proxy-params.conf;
    }
}
SITE
  sudo ln -sf "${SITE}" /etc/nginx/sites-enabled/
  sudo nginx -t && sudo systemctl reload nginx
}

install_app() {
  if [ -f "${UNIT}" ]; then
    echo "# ${APPID} is installed already"
    return 0
  fi
  "${SCRIPTS}/bonus.nodejs.sh" on
  sudo adduser --disabled-password --gecos "" "${APPID}" || return 1
  # The program is in the home folder of its own user.
  CODE=$(getent passwd "${APPID}" | cut -d: -f6)/satchel
  sudo mkdir -p "${DATA}"
  fetch_code || { sudo userdel -rf "${APPID}"; return 1; }
  write_environment
  write_unit
  write_site
  sudo ufw allow "${PORT_SSL}" comment "${APPID} HTTPS"
  sudo systemctl enable --now "${APPID}" || return 1
  "${SCRIPTS}/blitz.conf.sh" set "${APPID}" "on"
  echo "# OK: open https://$(local_ip):${PORT_SSL}/setup, and enter the code in ${DATA}/set-up-code"
}

remove_app() {
  sudo systemctl disable --now "${APPID}"
  sudo rm -f "${UNIT}" "${SITE}" "/etc/nginx/sites-enabled/$(basename "${SITE}")"
  sudo nginx -t && sudo systemctl reload nginx
  sudo ufw delete allow "${PORT_SSL}"
  sudo userdel -rf "${APPID}"
  "${SCRIPTS}/blitz.conf.sh" set "${APPID}" "off"
  echo "# OK: the program is gone. The books are still in ${DATA}"
}

case "${1:-}" in
  status) say_status ;;
  menu) show_menu ;;
  on | 1)
    # shellcheck disable=SC1091
    source /mnt/hdd/raspiblitz.conf
    install_app
    ;;
  off | 0) remove_app ;;
  *)
    usage
    exit 1
    ;;
esac
