#!/usr/bin/env bash
df -h .
