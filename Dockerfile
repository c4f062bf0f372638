# Python 3.14.8 on Debian 13, for all processors of 64 bits; docs/operators.md says how to update the digest.
FROM python:3.14-slim-trixie@sha256:89fb7d3da20043c370643435258bdd7ab755d326d359001d02988ed15ae5219e AS base

FROM base AS build
WORKDIR /src
COPY requirements/runtime.txt requirements/
RUN python -m venv /opt/kropka \
    && /opt/kropka/bin/pip install --no-cache-dir --require-hashes -r requirements/runtime.txt
# What .dockerignore lets through: the packages of the program, and what builds them.
COPY . .
# Compiles the computer's search for any processor of this kind; numba ignores code compiled for another one.
ENV NUMBA_CPU_NAME=generic
# What `kropka --version` tells: git is not here to be asked.
ARG COMMIT=
RUN /opt/kropka/bin/pip install --no-cache-dir --no-deps --no-build-isolation . \
    && /opt/kropka/bin/python -m compileall -q /opt/kropka/lib \
    && /opt/kropka/bin/kropka engine </dev/null \
    && /opt/kropka/bin/python tools/licences.py >/opt/kropka/licences.txt

FROM base
RUN useradd --system --uid 10001 --no-create-home --home-dir /var/lib/kropka kropka \
    && install --directory --owner=kropka --mode=0750 /var/lib/kropka
COPY --from=build /opt/kropka /opt/kropka
USER 10001
WORKDIR /var/lib/kropka
VOLUME /var/lib/kropka
# The bot writes only to the volume and /tmp, so the root file system may be read-only.
ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    NUMBA_CACHE_DIR=/tmp/numba \
    NUMBA_CPU_NAME=generic \
    KROPKA_LOG_FORMAT=json \
    KROPKA_STATUS_PORT=8421
HEALTHCHECK --interval=30s --timeout=6s --start-period=60s --retries=3 CMD ["/opt/kropka/bin/kropka", "health"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["/opt/kropka/bin/kropka"]
CMD ["run"]
