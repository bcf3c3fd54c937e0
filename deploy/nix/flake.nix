# A NixOS service that runs Satchel's image. In your own flake:
#
#   inputs.satchel.url = "git+https://example.org/satchel?dir=deploy/nix";
#   imports = [ inputs.satchel.nixosModules.default ];
#   services.satchel = { enable = true; image = "registry.example.org/satchel:0.1.0"; };
{
  description = "Satchel, a Discord bot that carries a community's sats";

  outputs = { self }: {
    nixosModules.default = { config, lib, ... }:
      let
        cfg = config.services.satchel;
      in
      {
        options.services.satchel = {
          enable = lib.mkEnableOption "Satchel";
          image = lib.mkOption {
            type = lib.types.str;
            description = "The image, with a version and best with a digest.";
          };
          dataFolder = lib.mkOption {
            type = lib.types.path;
            default = "/var/lib/satchel";
            description = "The books. Whoever reads them can spend the sats in them.";
          };
          settings = lib.mkOption {
            type = lib.types.attrsOf lib.types.str;
            default = { };
            example = { SERVICE_PUBLIC_URL = "https://pay.example.org"; TRUST_PROXY = "true"; };
            description = "Settings of .env.example. Not for secrets: the Nix store is open to all users.";
          };
          environmentFiles = lib.mkOption {
            type = lib.types.listOf lib.types.path;
            default = [ ];
            description = "Files of NAME=value lines with the secrets. Set-up in the browser needs none.";
          };
          secretsFolder = lib.mkOption {
            type = lib.types.nullOr lib.types.path;
            default = null;
            description = "A folder that is seen as /run/secrets: macaroons, runes, certificates, readable by user id 1000.";
          };
        };

        config = lib.mkIf cfg.enable {
          # The user of the container has the id 1000.
          systemd.tmpfiles.rules = [ "d ${cfg.dataFolder} 0700 1000 1000 -" ];
          virtualisation.oci-containers.containers.satchel = {
            image = cfg.image;
            environment = cfg.settings;
            environmentFiles = cfg.environmentFiles;
            # Only this machine can reach these ports. Put a proxy with a certificate in front of them.
            ports = [ "127.0.0.1:8787:8787" "127.0.0.1:8788:8788" ];
            volumes = [ "${cfg.dataFolder}:/app/data" ]
              ++ lib.optional (cfg.secretsFolder != null) "${cfg.secretsFolder}:/run/secrets:ro";
            extraOptions = [ "--cap-drop=ALL" "--security-opt=no-new-privileges" "--stop-timeout=30" ];
          };
        };
      };
  };
}
