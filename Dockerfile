# syntax=docker/dockerfile:1
FROM python:3.13 AS build
WORKDIR /srv
RUN python -m venv /srv/.venv
ENV PATH=/srv/.venv/bin:$PATH PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
COPY requirements.lock ./
RUN pip install --require-hashes -r requirements.lock
COPY pyproject.toml README.md LICENSE ./
COPY app ./app
COPY migrations ./migrations
COPY static ./static
COPY templates ./templates
# Builds the solver; an image without the compiled one is refused.
RUN pip install --no-deps -e . && python -m app doctor --require-compiled --data /tmp/data
RUN python -m compileall -q app && rm -rf build app/solver/*.c && pip uninstall --yes pip

FROM python:3.13-slim
LABEL org.opencontainers.image.title="Pyramid 13" \
      org.opencontainers.image.description="Pyramid Solitaire for the browser, with the rules on the server" \
      org.opencontainers.image.licenses="MIT"
# Whoever it is run as (--user) may write there.
RUN mkdir /data && chmod 1777 /data
WORKDIR /srv
COPY --from=build /srv /srv
ENV PATH=/srv/.venv/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 \
    PYRAMID_HOST=0.0.0.0 PYRAMID_PORT=8000 PYRAMID_DATA=/data
USER 10001:10001
VOLUME /data
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=15s CMD ["python", "-m", "app", "healthcheck"]
CMD ["python", "-m", "app"]
