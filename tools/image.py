"""OCI layouts: what is said of an image is kept beside it, as BuildKit keeps it, so that registries and tools know it.

Source: https://github.com/opencontainers/image-spec/blob/main/image-layout.md
and https://docs.docker.com/build/metadata/attestations/attestation-storage/
"""

from __future__ import annotations

import json
import shutil
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

INDEX: Final = "application/vnd.oci.image.index.v1+json"
MANIFEST: Final = "application/vnd.oci.image.manifest.v1+json"
CONFIG: Final = "application/vnd.oci.image.config.v1+json"
STATEMENT: Final = "application/vnd.in-toto+json"

SPDX: Final = "https://spdx.dev/Document"
PROVENANCE: Final = "https://slsa.dev/provenance/v1"

Descriptor = dict[str, Any]
"""The name of a blob: its media type, digest and size, and more of it."""


class Layout:
    """An image layout in a folder: blobs by their digests, and the index that names images among them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def index(self) -> list[Descriptor]:
        """The descriptors of the images."""
        listed: list[Descriptor] = json.loads((self.folder / "index.json").read_text("utf-8"))["manifests"]
        return listed

    def write(self, *images: Descriptor) -> None:
        """Makes these images those of the layout."""
        (self.folder / "oci-layout").write_text('{"imageLayoutVersion": "1.0.0"}', "utf-8")
        index = {"schemaVersion": 2, "mediaType": INDEX, "manifests": images}
        (self.folder / "index.json").write_text(json.dumps(index), "utf-8")

    def file(self, digest: str) -> Path:
        """Returns the file of a blob."""
        return self.folder / "blobs" / digest.replace(":", "/")

    def add(self, blob: object, media_type: str, **more: object) -> Descriptor:
        """Adds a document as a blob, and returns its descriptor."""
        text = json.dumps(blob, ensure_ascii=False).encode()
        digest = f"sha256:{sha256(text).hexdigest()}"
        file = self.file(digest)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text)
        return {"mediaType": media_type, "digest": digest, "size": len(text), **more}

    def read(self, descriptor: Descriptor) -> Any:
        """Returns the document that a descriptor names."""
        return json.loads(self.file(descriptor["digest"]).read_text("utf-8"))

    def take_in(self, other: Layout) -> list[Descriptor]:
        """Copies all blobs of another layout, and returns what its index names."""
        shutil.copytree(other.folder / "blobs", self.folder / "blobs", dirs_exist_ok=True)
        return other.index


def set_health_check(layout: Layout, check: dict[str, Any]) -> None:
    """Gives the one image of a layout its health check, which OCI doesn't know and Docker reads all the same.

    Source: https://github.com/moby/docker-image-spec
    """
    (image,) = layout.index
    manifest = layout.read(image)
    config = layout.read(manifest["config"])
    config["config"]["Healthcheck"] = check
    layout.write(layout.add({**manifest, "config": layout.add(config, CONFIG)}, MANIFEST))


def attest(layout: Layout, name: str, predicates: dict[str, object]) -> None:
    """Adds statements about the one image of a layout, by their types, and names its platform in the index."""
    (image,) = layout.index
    config = layout.read(layout.read(image)["config"])
    subject = [{"name": name, "digest": {"sha256": image["digest"].removeprefix("sha256:")}}]
    statements = [
        layout.add(
            {"_type": "https://in-toto.io/Statement/v1", "subject": subject, "predicateType": kind, "predicate": said},
            STATEMENT,
            annotations={"in-toto.io/predicate-type": kind},
        )
        for kind, said in predicates.items()
    ]
    unknown = {"architecture": "unknown", "os": "unknown"}
    digests = [each["digest"] for each in statements]
    own = layout.add({**unknown, "config": {}, "rootfs": {"type": "layers", "diff_ids": digests}}, CONFIG)
    manifest = {"schemaVersion": 2, "mediaType": MANIFEST, "config": own, "layers": statements}
    said = {"vnd.docker.reference.type": "attestation-manifest", "vnd.docker.reference.digest": image["digest"]}
    platform = {name: config[name] for name in ("architecture", "os")}
    layout.write(
        {**image, "platform": platform, "annotations": {}},
        layout.add(manifest, MANIFEST, platform=unknown, annotations=said),
    )


def join(layouts: list[Layout], into: Layout, tag: str) -> Descriptor:
    """Joins layouts of one image each, of one platform each, to one with a single index of all; returns that index."""
    into.folder.mkdir(parents=True, exist_ok=True)
    manifests = [each for layout in layouts for each in into.take_in(layout)]
    index = into.add({"schemaVersion": 2, "mediaType": INDEX, "manifests": manifests}, INDEX)
    index["annotations"] = {"org.opencontainers.image.ref.name": tag}
    into.write(index)
    return index
