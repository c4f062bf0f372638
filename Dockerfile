# syntax=docker/dockerfile:1
FROM python:3.11-slim AS build
WORKDIR /src
COPY requirements/runtime.txt requirements/
RUN python -m venv /opt/kropka \
    && /opt/kropka/bin/pip install --no-cache-dir --require-hashes -r requirements/runtime.txt
COPY pyproject.toml README.md LICENSE ./
COPY rules rules
COPY play play
COPY renderer renderer
COPY storage storage
COPY loopback loopback
COPY bot bot
RUN /opt/kropka/bin/pip install --no-cache-dir --no-deps --no-build-isolation .

FROM python:3.11-slim
RUN useradd --system --create-home --home-dir /var/lib/kropka kropka
COPY --from=build /opt/kropka /opt/kropka
USER kropka
WORKDIR /var/lib/kropka
VOLUME /var/lib/kropka
ENV PYTHONUNBUFFERED=1
ENTRYPOINT ["/opt/kropka/bin/kropka"]
CMD ["run"]
